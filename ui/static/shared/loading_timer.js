// This script is written into Gradio's pages before Gradio's scripts. Gradio counts the seconds while a page loads, in a
// function that runs at every frame. After the page is drawn, Gradio removes the counter but never stops the function
// (seen in 6.31). The function then keeps 7 % of a processor core busy in each open page, for hours on a rater's page.

(() => {
  const COUNTS_SECONDS = /performance\.now\(\)-.+\/1e3/; // matches Gradio's minified function that counts seconds
  const frame = window.requestAnimationFrame.bind(window);

  // Replaced before Gradio's script loads, because that script keeps a reference to requestAnimationFrame.
  window.requestAnimationFrame = (draw) => COUNTS_SECONDS.test(String(draw)) && isDrawn() ? 0 : frame(draw);

  function isDrawn() {
    return document.querySelector(".capscope-place") !== null;
  }
})();
