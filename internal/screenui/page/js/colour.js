// Which text can be read on a colour.

// textOn gives black or white, whichever stands out more on the hex colour (#rgb, #rrggbb, #rrggbbaa). Anything softer
// than black would leave some greys on which neither can be read well.
export function textOn(background) {
  const light = luminance(background);
  const onDark = 1.05 / (light + 0.05);
  const onLight = (light + 0.05) / 0.05;
  return onLight >= onDark ? "#000" : "#fff";
}

// luminance is WCAG's relative luminance; what is no colour counts as white.
function luminance(colour) {
  const channels = parse(colour) ?? [255, 255, 255];
  const [r, g, b] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function parse(colour) {
  let hex = /^#?([0-9a-f]{3,8})$/i.exec(String(colour ?? "").trim())?.[1];
  if (!hex) return null;
  if (hex.length < 6) hex = [...hex].map((digit) => digit + digit).join("");
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// safeColour is the colour as CSS takes it, or white.
export function safeColour(colour) {
  const channels = parse(colour);
  return channels ? `rgb(${channels.join(" ")})` : "#fff";
}
