// How the shop wants its terminal: a colour of its own, light or dark.
import { useEffect } from "./html.js";
import { readableOn, textOn } from "./colour.js";
import { useStore } from "./store.js";

// What the colour is read on: --paper and --surface of base.css.
const grounds = { light: ["#f5f6f8", "#ffffff"], dark: ["#11161c", "#1a212a"] };

// useLook gives {theme, style} for the screen: the colour as it was chosen where it is filled, and as it can be read.
export function useLook() {
  const { colour, theme } = useStore((s) => ({ colour: s.look.colour, theme: s.look.theme === "dark" ? "dark" : "light" }));
  if (!colour) return { theme, style: theme === "dark" ? ownColour(usual, theme) : {} };
  return { theme, style: ownColour(colour, theme) };
}

const usual = "#0a6b4d"; // --accent of base.css

function ownColour(colour, theme) {
  const ink = textOn(colour);
  return { "--accent": colour, "--accent-ink": ink, "--accent-deep": ink === "#fff" ? "#000" : "#fff", "--accent-text": readableOn(colour, grounds[theme]) };
}

// useThemeColour has the browser's own frame take the colour of the bar on top.
export function useThemeColour(...shown) {
  useEffect(() => {
    const bar = document.querySelector(".bar");
    if (!bar) return;
    const colour = getComputedStyle(bar).backgroundColor;
    document.querySelector("meta[name=theme-color]").content = colour === "rgba(0, 0, 0, 0)" ? getComputedStyle(bar.closest(".screen")).backgroundColor : colour;
  }, shown);
}
