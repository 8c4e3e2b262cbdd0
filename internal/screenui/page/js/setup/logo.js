// The logo of fiscal coupons: a picture to look at, another in its place, or none.
import { html, useRef, useState } from "../html.js";
import { post, remove } from "../http.js";
import { Button } from "../ui.js";
import { Frame } from "./frame.js";
import { complaint, t } from "./words.js";

// LogoEditor keeps a picture as soon as it is chosen. onKept is told of the answer; settings that were locked meanwhile
// are its business.
export function LogoEditor({ settings, back, onKept }) {
  const file = useRef(null);
  const [error, setError] = useState("");
  const [version, setVersion] = useState(0); // of the picture, which has one address
  const keep = async (answer) => {
    const got = await answer;
    if (!got.ok && got.status !== 403) return setError(complaint(got));
    setError("");
    setVersion(version + 1);
    return onKept(got);
  };
  const chosen = (event) => {
    const [picture] = event.target.files;
    event.target.value = ""; // the same one may be chosen again
    return picture && keep(post("/settings/logo", null, { body: picture, headers: { "Content-Type": "image/png" } }));
  };
  const footer = html`${back}<${Button} kind="primary" data-do="choose" onPress=${() => file.current.click()}>${t("choose")}<//>`;
  return html`<${Frame} step="logo" title=${t("logo")} footer=${footer}>
    <div class="setup-logo">
      <p class="setup-hint">${t("logoHint")}</p>
      <div class="setup-logo-paper">${settings.logo ? html`<img src=${`/settings/logo?${version}`} alt=${t("logo")} />` : html`<span class="setup-hint">${t("logo.off")}</span>`}</div>
      <p class="setup-error" role="alert">${error}</p>
      ${settings.logo ? html`<${Button} data-do="remove" onPress=${() => keep(remove("/settings/logo"))}>${t("remove")}<//>` : null}
      <input ref=${file} data-field="logo" type="file" accept="image/png" hidden aria-label=${t("choose")} onChange=${chosen} />
    </div>
  <//>`;
}
