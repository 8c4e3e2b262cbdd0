// Laying out JSON.

// pretty lays out JSON, and leaves what is none as it is.
export function pretty(text) {
  if (typeof text !== "string") return JSON.stringify(text, null, 2);
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indent(text);
}

// indent lays out JSON that parses without reading its numbers, so that 7.490 stays 7.490.
function indent(text) {
  let out = "";
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[[{]\s*[\]}]|[[{\]},:]|[^\s"[\]{},:]+/g)) {
    if (token === "{" || token === "[") (depth++, (out += token + line()));
    else if (token === "}" || token === "]") (depth--, (out += line() + token));
    else if (token === ",") out += token + line();
    else if (token === ":") out += ": ";
    else out += token.length > 1 && /^[[{]/.test(token) ? token[0] + token.at(-1) : token;
  }
  return out;
}
