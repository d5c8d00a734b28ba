/* The search of the site. Sections are ranked with BM25, in which words of titles count several times;
   a page stands where its best section stands. All of it runs in the page, so it works from disk. */
(function () {
  "use strict";

  const STOP = new Set(
    ("a about an and any are as at be by can could do does for from get give has have how i if in into " +
      "is it its make me my need of on one or our should so some than that the their them then there " +
      "this to use using want was we what when where which who why will with without you your")
      .split(" "));
  const K = 1.4;
  const B = 0.6;
  const TITLE = 1.3;
  const PAGE_TITLE = 0.9;
  const CODE = 0.5;
  const WHOLE_TITLE = 1.5;
  const SYNONYM = 0.6;
  const PREFIX = 0.6;
  const SHOWN_MAX = 12;

  /** The stem of a word: plural, -ing, -ed and a last e go, so that "retries" finds "retrying". */
  function stem(word) {
    let w = word;
    if (w.length > 4) w = w.replace(/(ies|ied)$/, "y");
    if (w.length > 4) w = w.replace(/(ss|sh|ch|x|z)es$/, "$1");
    if (w.length > 3) w = w.replace(/([^sui])s$/, "$1");
    if (w.length > 5) w = w.replace(/ing$/, "");
    if (w.length > 4) w = w.replace(/([^e])ed$/, "$1");
    if (w.length > 6) w = w.replace(/(al|e)$/, "");
    else if (w.length > 4) w = w.replace(/e$/, "");
    return w.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  }

  /** The stems of a text; a name like RetryPolicy counts as a whole and by its parts. */
  function stems(text) {
    const found = [];
    for (const word of text.match(/[\p{L}\p{N}]+/gu) || []) {
      found.push(stem(word.toLowerCase()));
      const parts = word.match(/\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu);
      if (parts && parts.length > 1) for (const part of parts) found.push(stem(part.toLowerCase()));
    }
    return found;
  }

  class Index {
    constructor(data) {
      this.sections = [];
      this.postings = new Map();
      for (const [href, part, weight, sections] of data.pages) {
        const page = { href, part, weight, title: sections[0][0] };
        for (const section of sections) this.add(page, ...section);
      }
      this.average = this.sections.reduce((sum, s) => sum + s.length, 0) / this.sections.length;
      this.synonyms = data.synonyms.map(([from, to]) => [stems(from), stems(to)]);
    }

    add(page, title, anchor, text, code) {
      const number = this.sections.length;
      const counts = new Map();
      const body = stems(text);
      const count = (term, field) => {
        let entry = counts.get(term);
        if (!entry) counts.set(term, (entry = { number, body: 0, code: 0, title: 0, page: 0 }));
        entry[field]++;
      };
      stems(code).forEach((term) => count(term, "code"));
      body.forEach((term) => count(term, "body"));
      stems(title).forEach((term) => count(term, "title"));
      stems(page.title).forEach((term) => count(term, "page"));
      this.sections.push({ page, title, anchor, text, length: body.length });
      for (const [term, entry] of counts) {
        if (!this.postings.has(term)) this.postings.set(term, []);
        this.postings.get(term).push(entry);
      }
    }

    /** Adds what a term gives to the scores of the sections that have it. */
    score(term, share, scores) {
      const entries = this.postings.get(term);
      if (!entries) return;
      const idf = Math.log(1 + (this.sections.length - entries.length + 0.5) / (entries.length + 0.5));
      for (const { number, body, code, title, page } of entries) {
        const length = 1 - B + (B * this.sections[number].length) / this.average;
        const count = body / length + (code ? CODE : 0);
        const text = (count * (K + 1)) / (count + K);
        const value = share * idf * (text + (title ? TITLE : 0) + (page ? PAGE_TITLE : 0));
        // A word and what stands for it count together, but not as two words.
        const before = scores.get(number) || 0;
        scores.set(number, Math.max(before, value) + 0.3 * Math.min(before, value));
      }
    }

    /** The words to look for: those of the query that say something, each with what the guide says for it. */
    terms(query) {
      const words = (query.match(/[\p{L}\p{N}]+/gu) || []).map((word) => word.toLowerCase());
      const telling = words.filter((word) => !STOP.has(word));
      const sought = [...new Set((telling.length ? telling : words).map(stem))];
      const line = " " + words.map(stem).join(" ") + " ";
      const matching = this.synonyms.filter(([from]) => line.includes(" " + from.join(" ") + " "));
      return sought.map((term) => ({
        term,
        also: matching.filter(([from]) => from.includes(term)).flatMap(([, to]) => to),
      }));
    }

    find(query) {
      const terms = this.terms(query);
      const totals = new Map();
      terms.forEach(({ term, also }, position) => {
        const scores = new Map();
        this.score(term, 1, scores);
        also.forEach((other) => this.score(other, SYNONYM, scores));
        // The last word may still be being typed.
        if (position === terms.length - 1 && term.length > 2) {
          for (const known of this.postings.keys()) {
            if (known !== term && known.startsWith(term)) this.score(known, PREFIX, scores);
          }
        }
        for (const [number, value] of scores) {
          const total = totals.get(number) || { value: 0, matched: 0 };
          totals.set(number, { value: total.value + value, matched: total.matched + 1 });
        }
      });
      const phrase = query.trim().toLowerCase();
      const all = new Set(terms.flatMap(({ term, also }) => [term, ...also]));
      const ranked = [...totals].map(([number, total]) => {
        const section = this.sections[number];
        let value = total.value * (total.matched / terms.length) * section.page.weight;
        if (phrase.includes(" ") && section.text.toLowerCase().includes(phrase)) value *= 1.2;
        if (stems(section.title).every((word) => all.has(word) || STOP.has(word))) value *= WHOLE_TITLE;
        return { section, value };
      });
      return this.byPage(ranked.sort((a, b) => b.value - a.value), [...all]);
    }

    byPage(ranked, terms) {
      const pages = new Map();
      for (const { section, value } of ranked) {
        const hit = pages.get(section.page);
        if (!hit) pages.set(section.page, { page: section.page, value, sections: [section] });
        else {
          hit.value += value * 0.1 * (hit.sections.length < 4 ? 1 : 0);
          hit.sections.push(section);
        }
      }
      const hits = [...pages.values()].sort((a, b) => b.value - a.value).slice(0, SHOWN_MAX);
      return hits.map((hit) => ({ ...hit, terms: new Set(terms) }));
    }
  }

  /** The part of a text with most of the words that were looked for, as nodes with these words marked. */
  function excerpt(text, terms) {
    const isHit = (word) => stems(word).some((s) => terms.has(s));
    const words = text.split(/\s+/);
    const marks = words.map(isHit);
    let best = 0;
    let most = -1;
    for (let start = 0; start < words.length; start += 6) {
      const count = marks.slice(start, start + 26).filter(Boolean).length;
      if (count > most) [most, best] = [count, start];
    }
    const nodes = best > 0 ? ["… "] : [];
    for (let i = best; i < Math.min(best + 26, words.length); i++) {
      if (marks[i]) {
        const mark = document.createElement("mark");
        mark.textContent = words[i];
        nodes.push(mark, " ");
      } else nodes.push(words[i] + " ");
    }
    if (best + 26 < words.length) nodes.push("…");
    return nodes;
  }

  function element(tag, className, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function link(root, section) {
    const isTop = section.title === section.page.title;
    const made = element("a", "", section.title);
    made.href = root + section.page.href + (isTop || !section.anchor ? "" : "#" + section.anchor);
    return made;
  }

  function show(list, status, hits, root, query) {
    list.replaceChildren();
    status.textContent = !query.trim() ? "" : hits.length ? "" : "Nothing was found. Try another word.";
    for (const { page, sections, terms } of hits) {
      const best = sections[0];
      const entry = element("li", "");
      entry.append(link(root, best));
      const where = [page.part, best.title === page.title ? "" : page.title].filter(Boolean).join(" › ");
      if (where) entry.append(element("p", "find-where", where));
      entry.append(element("p", "find-text", ...excerpt(best.text, terms)));
      const more = sections.slice(1, 4).filter((section) => section.title !== page.title);
      if (more.length && best.title === page.title) {
        const also = element("p", "find-more");
        more.forEach((section, i) => also.append(i ? " · " : "", link(root, section)));
        entry.append(also);
      }
      list.append(entry);
    }
  }

  let loading;
  function index(root) {
    if (!loading) {
      loading = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = root + "_static/search-data.js";
        script.onload = () => resolve(new Index(window.siteSearchData));
        script.onerror = () => reject(new Error("The data of the search is not there: " + script.src));
        document.head.append(script);
      });
    }
    return loading;
  }

  /** Makes an input search as one types, with its results in a folder below it. */
  function connect(input, list, status, root) {
    let latest = 0;
    const search = async () => {
      const number = ++latest;
      const query = input.value;
      const known = await index(root);
      if (number === latest) show(list, status, known.find(query), root, query);
    };
    input.addEventListener("input", search);
    input.addEventListener("focus", () => index(root), { once: true });
    return search;
  }

  function openDialog(root) {
    let dialog = document.getElementById("find-dialog");
    if (!dialog) {
      const input = element("input", "");
      Object.assign(input, { type: "search", autocomplete: "off", placeholder: "Search the guide" });
      input.setAttribute("aria-label", "Search the guide");
      const close = element("button", "find-close", "Close");
      close.type = "button";
      const status = element("p", "find-status");
      status.setAttribute("role", "status");
      const list = element("ol", "find-list");
      const form = element("form", "find-row", input, close);
      dialog = element("dialog", "", form, status, list);
      dialog.id = "find-dialog";
      dialog.setAttribute("aria-label", "Search");
      document.body.append(dialog);
      connect(input, list, status, root);
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog || event.target.closest("a")) dialog.close();
      });
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const first = list.querySelector("a");
        if (first) first.click();
      });
      dialog.addEventListener("keydown", (event) => move(event, input, list));
    }
    dialog.showModal();
    dialog.querySelector("input").select();
  }

  /** The arrows go from result to result. */
  function move(event, input, list) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [input, ...list.querySelectorAll("li > a")];
    const at = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (at >= 0 && at < links.length) links[at].focus();
    event.preventDefault();
  }

  function startPage() {
    const form = document.getElementById("find-page");
    if (!form) return;
    const input = form.querySelector("input");
    const list = element("ol", "find-list");
    const status = element("p", "find-status");
    status.setAttribute("role", "status");
    document.getElementById("find-results").append(status, list);
    const search = connect(input, list, status, "");
    input.value = new URLSearchParams(location.search).get("q") || "";
    form.addEventListener("submit", (event) => event.preventDefault());
    search();
    input.focus();
  }

  function startButtons() {
    const form = document.querySelector(".sidebar-search-container");
    if (!form) return;
    const root = form.querySelector("input").dataset.root.replace(/#$/, "");
    const side = element("button", "find-open", "Search ", element("kbd", "", "/"));
    const top = element("button", "find-open find-open-top", "Search");
    for (const button of [side, top]) {
      button.type = "button";
      button.addEventListener("click", () => openDialog(root));
    }
    form.replaceWith(element("div", "find-side", side));
    const header = document.querySelector(".mobile-header .header-right");
    if (header) header.prepend(top);
    document.addEventListener("keydown", (event) => {
      const isTyping = /^(input|textarea|select)$/i.test(event.target.tagName);
      const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isK = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      openDialog(root);
    });
  }

  startButtons();
  startPage();
})();
