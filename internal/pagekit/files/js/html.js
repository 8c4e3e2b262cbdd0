// The one place that knows which library draws the page.
import { h, render, Component } from "preact";
import { useState, useEffect, useLayoutEffect, useRef, useMemo } from "preact/hooks";
import htm from "htm";

const html = htm.bind(h);

// memo draws a component again only when one of its props changed.
function memo(draw) {
  return class extends Component {
    shouldComponentUpdate(next) {
      return !sameProps(this.props, next);
    }
    render(props) {
      return h(draw, props);
    }
  };
}

function sameProps(a, b) {
  for (const key in a) if (!(key in b)) return false;
  for (const key in b) if (a[key] !== b[key]) return false;
  return true;
}

export { html, render, useState, useEffect, useLayoutEffect, useRef, useMemo, Component, memo };
