// What goes wrong while drawing one part must not take the whole terminal down.
import { html, Component } from "./html.js";
import { words } from "./i18n.js";
import { Button } from "./ui.js";

const t = words({
  "pt-BR": { title: "Esta tela não pôde ser mostrada", again: "Tentar de novo" },
  en: { title: "This screen could not be shown", again: "Try again" },
  es: { title: "No se pudo mostrar esta pantalla", again: "Intentar de nuevo" },
});

// ErrorBoundary shows its children, or an apology that leads back to them.
export class ErrorBoundary extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }
  render({ children }, { failed }) {
    if (!failed) return children;
    return html`<section class="page failed" role="alert" data-view="failed">
      <p>${t("title")}</p>
      <${Button} kind="plain" data-do="retry" onPress=${() => this.setState({ failed: false })}>${t("again")}<//>
    </section>`;
  }
}
