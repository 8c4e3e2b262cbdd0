// The base layout is the one without the top bar. Nothing leaves this origin: no validator, no remote specification.
// Through a hub the page lies deeper, below what stands before the terminal's own paths, and so does what it asks for.
const before = location.pathname.replace(/\/docs\/?$/, "");

function below(request) {
  const url = new URL(request.url, location.href);
  if (url.origin === location.origin && !url.pathname.startsWith(before + "/")) request.url = before + url.pathname + url.search;
  return inUTF8(request);
}

// The page writes credentials a byte a letter; the service reads UTF-8.
function inUTF8(request) {
  const [scheme, code] = (request.headers.Authorization || "").split(" ");
  if (scheme === "Basic" && code) {
    const letters = Array.from(atob(code), (c) => c.charCodeAt(0));
    if (letters.some((c) => c > 127)) {
      const bytes = new TextEncoder().encode(String.fromCharCode(...letters));
      request.headers.Authorization = "Basic " + btoa(String.fromCharCode(...bytes));
    }
  }
  return request;
}

// Swagger UI has a dark look of its own: it follows the system, as the other pages do.
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

window.ui = SwaggerUIBundle({
  url: before + "/openapi.bundle.yaml",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor: below,
});
