"""The look that every report shares: a screen of sections, and how it is told as text and as HTML.

A room that has something to show makes a `screen.Screen` of it and asks `markup` for the HTML; it writes no
markup of its own.
"""
