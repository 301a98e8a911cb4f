"use strict";
(() => {
  const last = Number(document.body.dataset.steps);
  const byId = (id) => document.getElementById(id);
  const changing = Array.from(document.querySelectorAll("[data-from]"));
  const events = Array.from(document.querySelectorAll("#events > li"));
  const phases = Array.from(document.querySelectorAll("[data-phase]"));
  const phaseSteps = phases.map((link) => Number(link.dataset.phase));
  let step = last;

  const stepOfAddress = () => {
    const found = /^#step-(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : null;
  };

  const show = (wanted, { address = true, scroll = true } = {}) => {
    step = Math.min(Math.max(wanted, 1), last);
    for (const part of changing) {
      part.hidden = step < Number(part.dataset.from) || step > Number(part.dataset.to);
      if (part.localName === "tr") part.classList.toggle("now", Number(part.dataset.from) === step);
    }
    events.forEach((entry, place) => {
      entry.classList.toggle("to-come", place + 1 > step);
      if (place + 1 === step) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    });
    phases.forEach((link, place) => {
      const next = phaseSteps[place + 1] ?? last + 1;
      if (phaseSteps[place] <= step && step < next) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    const entry = events[step - 1];
    byId("place").textContent = `${step} / ${last}`;
    byId("slider").value = step;
    byId("said").textContent =
      `${entry.querySelector("time").textContent} ${entry.querySelector(".text").textContent}`;
    byId("first").disabled = byId("back").disabled = step === 1;
    byId("on").disabled = byId("end").disabled = step === last;
    const list = byId("events");
    if (scroll) list.scrollTop = entry.offsetTop - list.clientHeight / 2 + entry.clientHeight / 2;
    if (address) history.replaceState(null, "", `#step-${step}`);
  };

  const nextPhase = (direction) => {
    const found = direction > 0
      ? phaseSteps.find((each) => each > step)
      : phaseSteps.filter((each) => each < step).pop();
    show(found ?? (direction > 0 ? last : 1));
  };

  const keys = {
    ArrowLeft: () => show(step - 1), ArrowRight: () => show(step + 1),
    Home: () => show(1), End: () => show(last),
    p: () => nextPhase(1), P: () => nextPhase(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === byId("slider")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  let turned = 0;
  byId("felt").addEventListener("wheel", (event) => {
    if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
    if (Math.abs(turned) >= 40) { show(step + Math.sign(turned)); turned = 0; }
  }, { passive: false });

  byId("first").addEventListener("click", () => show(1));
  byId("back").addEventListener("click", () => show(step - 1));
  byId("on").addEventListener("click", () => show(step + 1));
  byId("end").addEventListener("click", () => show(last));
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  for (const link of document.querySelectorAll("a[href^='#step-']")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(Number(link.hash.slice("#step-".length)), { scroll: !events.includes(link.parentElement) });
    });
  }
  window.addEventListener("hashchange", () => { const asked = stepOfAddress(); if (asked) show(asked, { address: false }); });
  show(stepOfAddress() ?? last, { address: false });
})();
