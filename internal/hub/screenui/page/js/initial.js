// The state before the hub has said anything.
//   session  who is signed in: null is nobody, undefined is not known yet
//   about    what the hub says of itself: its version
//   route    where the page is: {view, id}
//   lost     nothing comes from the hub any more
//   names    what terminals are called, by id
//   news     grows with every change that the hub tells of; changed has the newest by terminal
export const initial = { session: undefined, about: {}, locale: "pt-BR", route: { view: "terminals", id: "" }, lost: false, names: {}, news: 0, changed: {} };
