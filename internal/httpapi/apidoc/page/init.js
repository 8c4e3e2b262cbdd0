// The base layout is the one without the top bar. Nothing leaves this origin: no validator, no remote specification.
window.ui = SwaggerUIBundle({
  url: "/openapi.bundle.yaml",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  tryItOutEnabled: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
