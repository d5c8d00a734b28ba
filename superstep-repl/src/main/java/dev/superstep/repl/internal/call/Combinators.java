package dev.superstep.repl.internal.call;

import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Work on many items whose number of calls is known before it begins: splitting, and asking a
/// model for each item, for each group, for a choice.
final class Combinators {
  private static final int PIECES_MAX = 100_000;
  private static final long SPLIT_MAX = 16L << 20;
  private static final int GROUP = 10;
  private static final String PLACE = "{}";

  private final ModelFunctions models;
  private final CallSession session;

  Combinators(ModelFunctions models, CallSession session) {
    this.models = models;
    this.session = session;
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of(
            "split(text, size, *, overlap=)", a -> split(new CallArguments("split", a))),
        HostFunction.of(
            "map_llm(items, prompt, *, model=)", a -> map(new CallArguments("map_llm", a))),
        HostFunction.of(
            "filter_llm(items, question, *, model=)",
            a -> filter(new CallArguments("filter_llm", a))),
        HostFunction.of(
            "reduce_llm(items, prompt, *, model=, group=)",
            a -> reduce(new CallArguments("reduce_llm", a))),
        HostFunction.of("cross(a, b)", a -> cross(new CallArguments("cross", a))),
        HostFunction.of(
            "estimate(step, items, *, prompt=, group=)",
            a -> estimate(new CallArguments("estimate", a))));
  }

  private static HostValue split(CallArguments given) throws HostFailure {
    int size = given.number("size", 0, 1, 1 << 20);
    int overlap = given.number("overlap", 0, 0, size - 1);
    if (given.need("text") instanceof HostValue.Document(var source)
        && source.length() > SPLIT_MAX) {
      throw CallArguments.wrong(
          "split", "takes at most 16 Mi characters; go through `context.chunks` for more");
    }
    var text = given.text("text");
    var pieces = new ArrayList<HostValue>();
    int end = text.codePointCount(0, text.length());
    int at = 0;
    for (int from = 0; from < end; from += size - overlap) {
      int to = Math.min(end, from + size);
      int stop = text.offsetByCodePoints(at, to - from);
      pieces.add(HostValue.of(text.substring(at, stop)));
      if (pieces.size() > PIECES_MAX)
        throw CallArguments.wrong("split", "gives at most 100,000 pieces");
      if (to == end) break;
      at = text.offsetByCodePoints(at, size - overlap);
    }
    return new HostValue.Items(pieces);
  }

  private static String filled(String prompt, String item) {
    return prompt.contains(PLACE) ? prompt.replace(PLACE, item) : prompt + "\n\n" + item;
  }

  private List<String> answers(CallArguments given, List<String> prompts)
      throws HostFailure, InterruptedException {
    var model = given.maybeText("model");
    var all = new ArrayList<ModelFunctions.Asked>();
    for (var prompt : prompts) all.add(models.asked(prompt, model));
    if (!(models.ask(all) instanceof HostValue.Items(var results))) {
      throw new IllegalStateException("a batch gives a list");
    }
    var texts = new ArrayList<String>();
    int failed = 0;
    var first = "";
    for (var result : results) {
      var outcome = (HostValue.Outcome) result;
      if (!outcome.ok()) {
        if (failed++ == 0) first = outcome.error();
        continue;
      }
      texts.add(CallArguments.text(given.function(), outcome.value()));
    }
    if (failed == 0) return texts;
    throw HostFailure.catchable(
        "provider-error",
        "%d of %d calls failed, the first: %s; llm_batch() gives each result of its own"
            .formatted(failed, results.size(), first));
  }

  private HostValue map(CallArguments given) throws HostFailure, InterruptedException {
    var prompt = given.text("prompt");
    var prompts = given.texts("items").stream().map(item -> filled(prompt, item)).toList();
    return HostValue.texts(answers(given, prompts));
  }

  private HostValue filter(CallArguments given) throws HostFailure, InterruptedException {
    var question = given.text("question") + "\nAnswer with yes or no alone.";
    var items = given.items("items");
    var prompts = given.texts("items").stream().map(item -> filled(question, item)).toList();
    var answers = answers(given, prompts);
    var kept = new ArrayList<HostValue>();
    for (int i = 0; i < items.size(); i++) {
      if (answers.get(i).strip().toLowerCase(Locale.ROOT).startsWith("yes")) kept.add(items.get(i));
    }
    return new HostValue.Items(kept);
  }

  private HostValue reduce(CallArguments given) throws HostFailure, InterruptedException {
    var prompt = given.text("prompt");
    int group = given.number("group", GROUP, 2, 1_000);
    var items = given.texts("items");
    if (items.isEmpty()) throw CallArguments.wrong("reduce_llm", "needs at least one item");
    int calls = reducing(items.size(), group);
    if (calls > session.counts().left(CallKind.MODEL)) {
      session.counts().take(CallKind.MODEL, calls);
    }
    do {
      var prompts = new ArrayList<String>();
      for (int from = 0; from < items.size(); from += group) {
        var part = items.subList(from, Math.min(items.size(), from + group));
        prompts.add(filled(prompt, String.join("\n\n", part)));
      }
      items = answers(given, prompts);
    } while (items.size() > 1);
    return HostValue.of(items.getFirst());
  }

  private static int reducing(int items, int group) {
    int calls = 0;
    do {
      items = (items + group - 1) / group;
      calls += items;
    } while (items > 1);
    return calls;
  }

  private static HostValue cross(CallArguments given) throws HostFailure {
    var first = given.items("a");
    var second = given.items("b");
    if ((long) first.size() * second.size() > PIECES_MAX) {
      throw CallArguments.wrong("cross", "gives at most 100,000 pairs");
    }
    var pairs = new ArrayList<HostValue>();
    for (var a : first) for (var b : second) pairs.add(new HostValue.Items(List.of(a, b)));
    return new HostValue.Items(pairs);
  }

  private HostValue estimate(CallArguments given) throws HostFailure {
    var items = given.texts("items");
    var prompt = given.maybeText("prompt").orElse("");
    long characters = items.stream().mapToLong(item -> filled(prompt, item).length()).sum();
    int calls =
        switch (given.text("step")) {
          case "map", "filter" -> items.size();
          case "reduce" -> reducing(items.size(), given.number("group", GROUP, 2, 1_000));
          default ->
              throw CallArguments.wrong("estimate", "knows the steps map, filter and reduce");
        };
    Map<String, HostValue> told = new LinkedHashMap<>();
    told.put("calls", HostValue.of(calls));
    told.put("characters", HostValue.of(characters));
    told.put("calls_left", HostValue.of(session.counts().left(CallKind.MODEL)));
    return new HostValue.Entries(told);
  }
}
