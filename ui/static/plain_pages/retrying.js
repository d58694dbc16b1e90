// The server writes this script into a page, before all other scripts. It reloads the page if one of our scripts did
// not load, and reloads a style sheet that did not load.

(() => {
  const PAUSE_S = 4; // with a random part, so that browsers do not all retry together
  let isStarted = false;

  addEventListener("capscope:started", () => isStarted = true);
  addEventListener("capscope:missing", reloadSoon);
  addEventListener("vite:preloadError", (event) => event.preventDefault()); // Gradio goes on without a late style sheet
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement && isOurs(target.src)) reloadSoon();
    else if (target instanceof HTMLLinkElement && target.rel === "stylesheet" && isOurs(target.href)) {
      setTimeout(() => target.replaceWith(target.cloneNode()), 1000 * pause());
    }
  }, true); // true: listen in the capture phase, because error events of failed loads do not bubble

  function reloadSoon() {
    if (isStarted) return;
    isStarted = true; // so that a second missing script changes nothing
    const seconds = Math.ceil(pause());
    setTimeout(() => location.reload(), 1000 * seconds);
    const tell = () => {
      const words = document.createElement("p");
      words.setAttribute("role", "status");
      words.textContent = "The server is busy, so a part of this page did not load. All your answers are kept. " +
        `This page tries again in ${seconds} seconds.`;
      const page = document.querySelector(".capscope[data-page]");
      if (page) page.replaceChildren(words);
      else document.body.prepend(words);
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", tell, { once: true });
    else tell();
  }

  function pause() {
    return PAUSE_S * (1 + Math.random());
  }

  /** @param {string} address */
  function isOurs(address) {
    return address.startsWith(`${location.origin}/`);
  }
})();
