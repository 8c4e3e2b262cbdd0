// The settings, behind the operator's PIN.
import { html, useEffect, useState } from "../html.js";
import { post } from "../http.js";
import { About } from "../about.js";
import { Editor } from "../setup/editor.js";
import { Frame, Loading } from "../setup/frame.js";
import { HubEditor } from "../setup/hub.js";
import { LogoEditor } from "../setup/logo.js";
import { Unlock } from "../setup/pin.js";
import { TestPage } from "../setup/printers.js";
import { choicesOf, fits, useSettings, valueText } from "../setup/settings.js";
import { complaint, t } from "../setup/words.js";
import { hubStatus } from "../status.js";
import { useStore } from "../store.js";
import { Button, Icon } from "../ui.js";

const idleLimit = 5 * 60 * 1000;

// useOpenSettings has the settings open until the operator closes them, something else takes the screen, or nobody
// touches them for a while. However they are left, they are locked: the next person is another.
export function useOpenSettings(covered) {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    post("/settings/lock");
  };
  useEffect(() => {
    if (!open) return undefined;
    if (covered) return close();
    let timer = 0;
    const touched = () => {
      clearTimeout(timer);
      timer = setTimeout(close, idleLimit);
    };
    touched();
    addEventListener("pointerdown", touched, true);
    addEventListener("keydown", touched, true);
    return () => {
      clearTimeout(timer);
      removeEventListener("pointerdown", touched, true);
      removeEventListener("keydown", touched, true);
    };
  }, [open, covered]);
  return [open && !covered, () => setOpen(true), close];
}

const fields = ["user", "password", "name", "logo", "colour", "theme", "locale", "printer", "printerModel", "acquirer", "cardReceipt", "tradeName", "phone", "itemNotes", "hub", "pin"];
const restarts = new Set(["printer", "printerModel", "acquirer"]); // the service, to be put to use

export function Settings({ onClose }) {
  const pinSet = useStore((s) => s.setup.pin);
  const [unlocked, setUnlocked] = useState(false);
  const [settings, reload, setSettings] = useSettings(unlocked);
  const [field, setField] = useState(null); // being edited
  const [value, setValue] = useState("");
  const [error, setError] = useState("");
  const [saved, setSaved] = useState(""); // the field that was saved last
  if (!unlocked) return html`<${Unlock} pinSet=${pinSet} onOpen=${() => setUnlocked(true)} onClose=${onClose} />`;
  if (!settings) return html`<${Loading} />`;

  const edit = (name) => {
    setField(name);
    setValue(name === "password" ? "" : settings[name] ?? "");
    setError("");
    setSaved("");
  };
  const input = (text) => {
    setError("");
    setValue(text);
  };
  const lockAgain = () => {
    setSettings(null);
    setField(null);
    setUnlocked(false); // it was left open too long, or the terminal has restarted
  };
  const save = async (answer) => {
    if (!fits(field, answer)) return setError(t(`bad.${field}`));
    const got = await post("/settings", { [field]: answer });
    if (got.status === 403) return lockAgain();
    if (!got.ok) return setError(complaint(got));
    if (field !== "pin" && field !== "password") setSettings({ ...settings, [field]: answer });
    setSaved(field);
    setField(null);
    if (!restarts.has(field)) reload();
  };
  if (field) {
    const back = html`<${Button} data-do="back" onPress=${() => setField(null)}>${t("back")}<//>`;
    if (field === "hub") return html`<${HubEditor} back=${back} onLocked=${lockAgain} />`;
    if (field === "logo") {
      const kept = ({ ok }) => {
        if (!ok) return lockAgain();
        setSaved("logo");
        return reload();
      };
      return html`<${LogoEditor} settings=${settings} back=${back} onKept=${kept} />`;
    }
    return html`<${Editor} key=${field} field=${field} settings=${settings} value=${value} onInput=${input} onDone=${save} error=${error}
      back=${back} doneText=${t("save")} />`;
  }
  const openMenu = async () => {
    const got = await post("/settings/menu");
    if (got.status === 403) return lockAgain();
    if (!got.ok) setError(complaint(got)); // else the menu takes the screen
  };
  const footer = html`<${Button} kind="primary" data-do="close" onPress=${onClose}>${t("close")}<//>`;
  return html`<${Frame} step="settings" title=${t("settings")} footer=${footer}>
    <ul class="setup-list">
      ${fields.map((name) => html`<${Row} key=${name} field=${name} settings=${settings} saved=${saved === name} onEdit=${() => edit(name)} />`)}
      ${settings.printer !== "none" && html`<${TestPage} key="test-page" onLocked=${lockAgain} />`}
      ${settings.menu && html`<li key="menu"><button type="button" class="setup-row" data-do="menu" onClick=${openMenu}>
        <span class="setup-row-name">${t("menu")}</span><span class="setup-row-value">${t("menuText")}</span>
        ${error && html`<span class="setup-row-note" role="alert">${error}</span>`}
      </button></li>`}
    </ul>
    <${About} />
  <//>`;
}

function Row({ field, settings, saved, onEdit }) {
  const hub = useStore((s) => s.hub);
  const fixed = settings.fixed.includes(field);
  const alone = choicesOf(field, settings)?.length < 2;
  const note = fixed ? t(settings.fromHub.includes(field) ? "fromHub" : "fixed") : saved ? t(restarts.has(field) ? "restarts" : "saved") : "";
  return html`<li><button type="button" class="setup-row" data-do=${`edit-${field}`} disabled=${fixed || alone} onClick=${onEdit}>
    <span class="setup-row-name">${t(field)}</span>
    <span class="setup-row-value">${field === "hub" ? hubStatus(hub)?.text ?? t("empty") : valueText(field, settings[field], settings)}</span>
    ${note ? html`<span class="setup-row-note" role="status"><${Icon} name=${saved ? "check" : "lock"} />${note}</span>` : null}
  </button></li>`;
}
