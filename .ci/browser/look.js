// What a reader sees of the reports on the page: texts with too little contrast, parts that stick out.
() => {
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // Colours come in many notations; painting one over another gives what a screen shows.
  function painted(layers) {
    brush.clearRect(0, 0, 1, 1);
    for (const layer of layers) {
      brush.fillStyle = layer;
      brush.fillRect(0, 0, 1, 1);
    }
    return [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }
  function luminance(rgb) {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  }
  function grounds(element) {
    const found = [];
    for (let at = element; at; at = at.parentElement) found.unshift(getComputedStyle(at).backgroundColor);
    return ["Canvas", ...found];
  }
  const pale = new Set();
  const outside = new Set();
  let texts = 0;
  for (const element of document.querySelectorAll(".evalset-report *, .contents *")) {
    const box = element.getBoundingClientRect();
    if (!box.width || !element.checkVisibility({ contentVisibilityAuto: true })) continue;
    const scrolls = element.closest(".scroll, pre");
    if ((!scrolls || scrolls === element) && (box.right > innerWidth + 0.5 || box.left < -0.5)) {
      outside.add(`${element.tagName}.${element.className.baseVal ?? element.className}`);
    }
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    texts += 1;
    const under = grounds(element);
    const seen = contrast(painted(under), painted([...under, getComputedStyle(element).color]));
    if (seen < 4.5) pale.add(`${seen.toFixed(2)} ${element.tagName}.${element.className}: ${element.textContent.slice(0, 40)}`);
  }
  return {
    texts,
    pale: [...pale],
    outside: [...outside],
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}
