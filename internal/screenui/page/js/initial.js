// The state before the service has said anything.
//
// The state holds every key of the feed's "state" events, and besides them:
//   hello    the last hello, whole; its emulator, version, apiUrl also stand by themselves
//   items, payments, discounts, additions   the open sale's lines; a new array whenever one changes
//   lost     nothing has come from the service for a second
//   ready    the first whole state is here
export const initial = {
  ready: false, lost: false, hello: null, emulator: false, version: "", apiUrl: "", locale: "pt-BR", name: "", look: { colour: "", theme: "light", logo: "", pictures: [] },
  view: "idle", active: true, override: null, pages: 0, busy: false, turn: 0,
  printer: { state: "unknown" }, acquirer: { state: "none" }, hub: { state: "none", reason: "" },
  sale: null, closing: null, question: null, success: null, payment: null, result: null, settled: null, display: null, waiting: null,
  notification: null, announcement: null, drawers: [], announcements: [], paper: [], setup: { needed: false, pin: false },
  items: [], payments: [], discounts: [], additions: [], linesOf: null,
};
