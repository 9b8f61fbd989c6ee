"""Charts of results: aggregated frames in, Altair objects out (the extra ``viz``).

`gallery` is what reports hand out; it imports Altair when a chart is asked for. `pictures` draws, one
function a chart, and `offline` makes Altair show static SVG in place of a page that loads its scripts.
"""
