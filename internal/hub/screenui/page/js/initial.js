// The state before the hub has said anything.
//   session  who is signed in: null is nobody, undefined is not known yet
//   about    what the hub says of itself: its version
//   route    where the page is: {view, id, query}
//   lost     nothing comes from the hub any more
//   names    what terminals are called, by id
//   places   tenants and shops; null: they have not been read yet
//   news     grows with every change that the hub tells of; changed has the newest by terminal
export const initial = {
  session: undefined, about: {}, locale: "pt-BR", route: { view: "terminals", id: "", query: {} }, lost: false, names: {}, places: null, news: 0, changed: {},
};

// nobody is what is left when somebody has signed out: the next person may see something else.
export const nobody = { session: null, lost: false, names: {}, places: null, changed: {} };
