// The server writes this script into a page, before all other scripts. It reloads the page if one of our scripts did
// not load, and reloads a style sheet that did not load. If the page states how long to wait before the next attempt,
// the script shows a countdown.

(() => {
  const TRIES = "capscope.tries"; // key in the tab's storage; value: number of attempts since a page last started
  const FIRST_S = 3, LONGEST_S = 60;
  let isStarted = false, isWaiting = false;

  addEventListener("capscope:started", () => {
    isStarted = true;
    keepTries(0);
  });
  addEventListener("capscope:missing", () => reloadSoon());
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement && isOurs(target.src)) reloadSoon();
    else if (target instanceof HTMLLinkElement && target.rel === "stylesheet" && isOurs(target.href)) loadAgain(target);
  }, true); // true: listen in the capture phase, because error events of failed loads do not bubble
  whenRead(() => {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-retry-after]"));
    if (place) countDown(place, spread(Number(place.dataset.retryAfter)), () => location.reload());
  });

  function reloadSoon() {
    if (isStarted || isWaiting) return;
    isWaiting = true;
    const tries = keepTries(triesSoFar() + 1);
    whenRead(() => {
      const said = document.createElement("p"), seconds = document.createElement("p");
      said.setAttribute("role", "status");
      const page = /** @type {HTMLElement | null} */ (document.querySelector(".capscope[data-page]"));
      const place = page ?? document.body;
      said.textContent = "The server is busy, so a part of this page did not load. All your answers are kept.";
      if (place === document.body) place.prepend(said, seconds);
      else place.replaceChildren(said, seconds);
      countDown(seconds, pause(tries), () => location.reload());
    });
  }

  /** @param {HTMLLinkElement} sheet */
  function loadAgain(sheet) {
    const tries = Number(sheet.dataset.tries ?? 0) + 1;
    const again = /** @type {HTMLLinkElement} */ (sheet.cloneNode());
    again.dataset.tries = String(tries);
    setTimeout(() => sheet.replaceWith(again), 1000 * pause(tries));
  }

  /** Count down some seconds in an element, then call a function. @param {HTMLElement} place @param {number} seconds
   * @param {() => void} then */
  function countDown(place, seconds, then) {
    const end = performance.now() + 1000 * seconds;
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      if (left <= 0) return then();
      place.textContent = `This page tries again in ${left} ${left === 1 ? "second" : "seconds"}.`;
      setTimeout(tick, 250);
    };
    tick();
  }

  /** Return the seconds to wait before the next attempt.
   * They grow with each attempt and have a random part, so that browsers do not all retry together.
   * @param {number} tries */
  function pause(tries) {
    return spread(Math.min(LONGEST_S, FIRST_S * 2 ** (tries - 1)));
  }

  /** @param {number} seconds */
  function spread(seconds) {
    return seconds * (1 + Math.random() / 2);
  }

  /** @param {string} address */
  function isOurs(address) {
    return address.startsWith(`${location.origin}/`);
  }

  /** Run some work after the page has been parsed. @param {() => void} work */
  function whenRead(work) {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", work, { once: true });
    else work();
  }

  function triesSoFar() {
    try {
      return Number(sessionStorage.getItem(TRIES) ?? 0);
    } catch {
      return 0; // the browser's storage is blocked
    }
  }

  /** @param {number} tries */
  function keepTries(tries) {
    try {
      sessionStorage.setItem(TRIES, String(tries));
    } catch { /* the browser's storage is blocked, so the pauses between attempts do not grow */ }
    return tries;
  }
})();
