// What the browser keeps for the page. It may forbid that, or be full; then the page merely forgets.

export const session = keeper("sessionStorage"); // for as long as the tab lives, reloads included
export const local = keeper("localStorage"); // for good

function keeper(storage) {
  return {
    recall(key) {
      try {
        return JSON.parse(window[storage].getItem(key));
      } catch {
        return null;
      }
    },
    remember(key, value) {
      try {
        window[storage].setItem(key, JSON.stringify(value));
      } catch {
        // forgotten
      }
    },
    forget(key) {
      try {
        window[storage].removeItem(key);
      } catch {
        // nothing was kept
      }
    },
  };
}
