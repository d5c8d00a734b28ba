package dev.superstep.repl.internal.call;

import dev.superstep.repl.grant.GraphLanguage;
import dev.superstep.repl.grant.GraphLanguage.Draft;
import dev.superstep.repl.grant.GraphLanguage.Finding;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The functions that write graphs: a draft is read, checked, compared and compiled here, and runs
/// only once the host has approved exactly this text. What is registered elsewhere may change, so
/// what it says of a draft is kept like any call.
final class DraftFunctions {
  private static final int SOURCE_MAX = 64 << 10;
  private static final int NAME_MAX = 100;

  private final GraphLanguage language;
  private final CallSession session;

  DraftFunctions(GraphLanguage language, CallSession session) {
    this.language = language;
    this.session = session;
  }

  /// A graph that was written, and where it is compiled, the hash of it.
  private record Written(Draft draft, String hash) {
    HostValue handle() {
      return new HostValue.Handle(
          hash.isEmpty() ? "draft" : "untrusted compiled graph", draft.name(), this);
    }

    /// The value that identifies it in the record of a call.
    HostValue value() {
      var all = new LinkedHashMap<String, HostValue>();
      all.put("name", HostValue.of(draft.name()));
      all.put("source", HostValue.of(draft.source()));
      all.put("hash", HostValue.of(hash));
      return new HostValue.Entries(all);
    }
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of(
            "graph_define(name, source=)",
            a -> define(CallArguments.of("graph_define", a, "name"))),
        HostFunction.of(
            "graph_validate(draft)", a -> validate(new CallArguments("graph_validate", a))),
        HostFunction.of(
            "graph_compile(draft)", a -> compile(new CallArguments("graph_compile", a))),
        HostFunction.of(
            "graph_describe(graph)", a -> describe(new CallArguments("graph_describe", a))),
        HostFunction.of("graph_diff(a, b)", a -> diff(new CallArguments("graph_diff", a))),
        HostFunction.of(
            "graph_register(name, graph=, *, review_id=)",
            a -> register(CallArguments.of("graph_register", a, "name"))));
  }

  private HostValue define(CallArguments given) throws HostFailure {
    var name = given.text("name");
    if (name.isBlank() || name.length() > NAME_MAX) {
      throw CallArguments.wrong("graph_define", "takes a name of 1 to 100 characters");
    }
    var source = given.text("source");
    if (source.length() > SOURCE_MAX) {
      throw CallArguments.wrong("graph_define", "takes a source of at most 65,536 characters");
    }
    var draft = new Draft(name, source);
    var found = language.read(draft);
    // What cannot be read takes no place.
    if (isWrong(found)) throw HostFailure.catchable("invalid-graph-source", text(found));
    session.counts().take(CallKind.DEFINITION, 1);
    return new Written(draft, "").handle();
  }

  private static boolean isWrong(List<Finding> findings) {
    return findings.stream().anyMatch(one -> one.severity().equals("error"));
  }

  private static String text(List<Finding> findings) {
    return findings.stream()
        .filter(one -> one.severity().equals("error"))
        .map(Finding::text)
        .collect(Collectors.joining("\n"));
  }

  private static Written written(CallArguments given, String name) throws HostFailure {
    if (given.need(name) instanceof HostValue.Handle(_, _, Written written)) return written;
    throw CallArguments.wrong(
        given.function(), "takes a draft of graph_define() as `" + name + "`");
  }

  private static CellCalls.Call call(CallArguments given, HostValue arguments) {
    return new CellCalls.Call(CallKind.LANGUAGE, given.function(), arguments);
  }

  private HostValue validate(CallArguments given) throws HostFailure, InterruptedException {
    var written = written(given, "draft");
    return session
        .calls()
        .make(
            call(given, written.value()),
            (_, _) ->
                new HostValue.Items(
                    language.validate(written.draft()).stream()
                        .map(DraftFunctions::value)
                        .toList()));
  }

  private static HostValue value(Finding finding) {
    var told = new LinkedHashMap<String, HostValue>();
    told.put("code", HostValue.of(finding.code()));
    told.put("severity", HostValue.of(finding.severity()));
    told.put("message", HostValue.of(finding.message()));
    told.put("line", HostValue.of(finding.line()));
    told.put("column", HostValue.of(finding.column()));
    return new HostValue.Entries(told);
  }

  private HostValue compile(CallArguments given) throws HostFailure, InterruptedException {
    var written = written(given, "draft");
    var hash =
        session
            .calls()
            .make(
                call(given, written.value()),
                (_, _) -> {
                  try {
                    return HostValue.of(language.hash(written.draft()));
                  } catch (IllegalArgumentException e) {
                    throw HostFailure.catchable(
                        "graph-compilation-failed", String.valueOf(e.getMessage()));
                  }
                });
    return new Written(written.draft(), CallArguments.text(given.function(), hash)).handle();
  }

  /// The facts that a cell may know of a graph that it wrote.
  private static HostValue describe(CallArguments given) throws HostFailure {
    var written = written(given, "graph");
    var told = new LinkedHashMap<String, HostValue>();
    told.put("name", HostValue.of(written.draft().name()));
    told.put("provenance", HostValue.of("generated"));
    told.put("trusted", HostValue.of(false));
    told.put("compiled", HostValue.of(!written.hash().isEmpty()));
    told.put("hash", HostValue.of(written.hash()));
    told.put("lines", HostValue.of(written.draft().source().lines().count()));
    return new HostValue.Entries(told);
  }

  private HostValue diff(CallArguments given) throws HostFailure, InterruptedException {
    var sides = List.of(side(given, "a"), side(given, "b"));
    var value = new HostValue.Items(sides.stream().map(Side::value).toList());
    return session
        .calls()
        .make(
            call(given, value),
            (_, _) -> {
              try {
                return HostValue.texts(
                    language.diff(draft(sides.getFirst()), draft(sides.getLast())));
              } catch (IllegalArgumentException e) {
                throw HostFailure.catchable(
                    "graph-compilation-failed", String.valueOf(e.getMessage()));
              }
            });
  }

  /// A side of a comparison: a draft, or the name of a graph that is registered.
  private sealed interface Side {
    HostValue value();

    record Own(Written written) implements Side {
      @Override
      public HostValue value() {
        return written.value();
      }
    }

    record Registered(String name) implements Side {
      @Override
      public HostValue value() {
        return HostValue.of(name);
      }
    }
  }

  private static Side side(CallArguments given, String name) throws HostFailure {
    return given.need(name) instanceof HostValue.Handle(_, _, Written written)
        ? new Side.Own(written)
        : new Side.Registered(given.text(name));
  }

  private Draft draft(Side side) throws HostFailure {
    return switch (side) {
      case Side.Own(var written) -> written.draft();
      case Side.Registered(var name) -> {
        var known = language.find(name);
        if (known.isPresent()) yield known.get();
        throw HostFailure.catchable("unknown-graph", "no graph `" + name + "` is registered");
      }
    };
  }

  private HostValue register(CallArguments given) throws HostFailure, InterruptedException {
    var written = written(given, "graph");
    if (written.hash().isEmpty()) {
      throw CallArguments.wrong("graph_register", "takes a compiled graph, never a draft");
    }
    var name = given.text("name");
    var review = given.has("review_id") ? given.text("review_id") : "";
    var value = new LinkedHashMap<String, HostValue>();
    value.put("name", HostValue.of(name));
    value.put("hash", HostValue.of(written.hash()));
    value.put("review_id", HostValue.of(review));
    var call = new CellCalls.Call(CallKind.LANGUAGE, name, new HostValue.Entries(value));
    var draft = new Draft(name, written.draft().source());
    return session
        .calls()
        .make(
            call,
            (context, _) -> {
              var refused = language.register(draft, written.hash(), review, context.node());
              if (refused.isEmpty()) return HostValue.NOTHING;
              throw HostFailure.catchable("registration-denied", refused.get());
            });
  }
}
