// Which colours can be read on which.

// textOn gives black or white, whichever stands out more on the hex colour (#rgb, #rrggbb, #rrggbbaa). Anything softer
// than black would leave some greys on which neither can be read well.
export function textOn(background) {
  const channels = channelsOf(background);
  return contrast(channels, black) >= contrast(channels, white) ? "#000" : "#fff";
}

// readableOn is the colour, made darker or lighter until it can be read on all of the grounds.
export function readableOn(colour, grounds) {
  const on = grounds.map(channelsOf);
  const towards = textOn(grounds[0]) === "#000" ? black : white;
  let channels = channelsOf(colour);
  for (let part = 0; part < 1 && Math.min(...on.map((ground) => contrast(channels, ground))) < wanted; part += 0.02) {
    channels = mixed(channelsOf(colour), towards, part);
  }
  return hex(channels);
}

// safeColour is the colour as CSS takes it, or white.
export function safeColour(colour) {
  return `rgb(${channelsOf(colour).join(" ")})`;
}

const black = [0, 0, 0];
const white = [255, 255, 255];
const wanted = 5.4; // 4.5 is what reading takes; a ground may be tinted with the colour itself

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// luminance is WCAG's relative luminance.
function luminance(channels) {
  const [r, g, b] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const mixed = (from, to, part) => from.map((channel, i) => Math.round(channel + (to[i] - channel) * part));

const hex = (channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

// channelsOf reads a colour; what is none counts as white.
function channelsOf(colour) {
  let digits = /^#?([0-9a-f]{3,8})$/i.exec(String(colour ?? "").trim())?.[1];
  if (!digits) return white;
  if (digits.length < 6) digits = [...digits].map((digit) => digit + digit).join("");
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
}
