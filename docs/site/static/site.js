/* Small things for the keyboard: what scrolls can be scrolled with it, and the drawers open with it. */
(function () {
  "use strict";

  function reachable() {
    for (const box of document.querySelectorAll("article pre, article .table-wrapper, .source pre")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  const names = { __navigation: "Navigation", __toc: "On this page" };
  for (const label of document.querySelectorAll(".nav-overlay-icon, .toc-overlay-icon")) {
    label.tabIndex = 0;
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", names[label.htmlFor]);
    label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      label.click();
    });
  }
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Navigation");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  // Escape closes a drawer.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const id of Object.keys(names)) document.getElementById(id).checked = false;
  });
  reachable();
  addEventListener("resize", reachable);
})();
