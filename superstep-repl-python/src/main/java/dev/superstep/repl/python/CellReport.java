package dev.superstep.repl.python;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.CellError;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.HostValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the results of cells of what the interpreter says, in the words of the built-in language.
/// Places that the interpreter tells are checked against the sources. One thread.
final class CellReport {
  private static final int TEXT_MOST = 2_001;
  private static final int PLACES_MOST = 12;
  private static final String CODE = "E-ragsh-";
  private static final CellResult.Used NOT_COUNTED = new CellResult.Used(0, 0);

  private final ReplPolicy policy;
  private final HostTable host;
  private final List<Optional<Source>> sources = new ArrayList<>();

  CellReport(ReplPolicy policy, HostTable host) {
    this.policy = policy;
    this.host = host;
  }

  /// The result of a cell that is too long to run.
  CellResult tooLong(Source cell) {
    var text = "the cell has " + cell.bytes() + " bytes, more than " + policy.scriptBytes();
    var found =
        Diagnostic.error(CODE + "too-long", Span.BEGINNING, text)
            .help("divide it into several cells");
    var error =
        new CellError(CODE + "too-long", CellError.Kind.REJECTED, "", found.message(), List.of());
    return new CellResult(output(""), null, List.of(), List.of(found), error, null, NOT_COUNTED);
  }

  /// The result of a cell that was ended and undone.
  CellResult ended(Source cell, String printed, CellEnded end) {
    var message = String.valueOf(end.getMessage());
    var error =
        new CellError(
            CODE + end.code(), CellError.Kind.ENDED, "", message, List.<CellError.Place>of());
    var found = Diagnostic.error(error.code(), Span.BEGINNING, message);
    return new CellResult(
        output(printed), null, List.of(), List.of(found), error, null, NOT_COUNTED);
  }

  private CellResult.Output output(String printed) {
    return CellResult.Output.of(printed, policy.outputShown());
  }

  /// The result of a cell that came to its end.
  ///
  /// @param number of the cell, from 1
  /// @throws CellEnded if a limit of the interpreter ended it
  /// @throws ProtocolBroken if it does not say so
  CellResult of(Source cell, int number, String printed, Interpreter.Ran ran) {
    while (sources.size() <= number) sources.add(Optional.empty());
    sources.set(number, Optional.of(cell));
    var parts = ran.result();
    var error = parts.has("error") ? error(parts.inner("error")) : null;
    var found = new ArrayList<Diagnostic>();
    if (error != null) found.add(diagnostic(cell, error));
    return new CellResult(
        output(printed),
        parts.has("value") ? shown(parts.inner("value")) : null,
        ran.changed(),
        found,
        error == null || error.kind() != CellError.Kind.REJECTED ? error : withoutPlaces(error),
        answer(parts),
        NOT_COUNTED);
  }

  private static CellError withoutPlaces(CellError error) {
    return new CellError(error.code(), error.kind(), error.type(), error.message(), List.of());
  }

  private @Nullable HostValue answer(Fields parts) {
    if (!parts.has("answer")) return null;
    var all = parts.items("answer");
    if (all.size() != 1) throw new ProtocolBroken("there is one answer");
    return host.values().read(all.getFirst());
  }

  private static CellResult.Shown shown(Fields value) {
    return new CellResult.Shown(cut(value.text("type")), cut(value.text("text")));
  }

  private static String cut(String text) {
    if (text.codePointCount(0, text.length()) <= TEXT_MOST) return text;
    return text.substring(0, text.offsetByCodePoints(0, TEXT_MOST));
  }

  private CellError error(Fields error) {
    var type = cut(error.text("type"));
    var message = cut(error.text("message"));
    var code = error.text("code");
    if (error.text("kind").equals("rejected")) {
      var known = code.equals("reserved-name") ? code : "syntax";
      return new CellError(CODE + known, CellError.Kind.REJECTED, "", message, places(error));
    }
    if (type.equals("MemoryError")) {
      throw new CellEnded("memory-limit", "the cell took more memory than " + policy.memoryBytes());
    }
    if (type.equals("RecursionError")) throw new CellEnded("recursion-limit", message);
    // A program can invent codes; only those of the host mean something.
    var known = host.gave(code) ? code : "raised";
    return new CellError(CODE + known, CellError.Kind.RAISED, type, message, places(error));
  }

  private List<CellError.Place> places(Fields error) {
    var all = new ArrayList<CellError.Place>();
    for (var place : error.items("places")) {
      if (all.size() == PLACES_MOST) break;
      var parts = Fields.of(place);
      int number = parts.number("cell");
      var source = number < sources.size() ? sources.get(number) : Optional.<Source>empty();
      if (source.isEmpty()) continue;
      var function = cut(parts.text("function"));
      all.add(new CellError.Place(source.get(), span(source.get(), parts), function));
    }
    return all;
  }

  private static Span span(Source source, Fields place) {
    int start = offset(source, place.maybe("line"), place.maybe("column"), false);
    int end =
        offset(
            source, Math.max(place.maybe("last"), place.maybe("line")), place.maybe("end"), true);
    return new Span(start, Math.max(start, end));
  }

  private static int offset(Source source, int line, int column, boolean isEnd) {
    var span = source.lineSpan(Math.clamp(line, 1, source.lineCount()));
    if (column < 0) return isEnd ? span.end() : span.start();
    var text = source.text(span);
    int points = Math.min(column, text.codePointCount(0, text.length()));
    return span.start() + text.offsetByCodePoints(0, points);
  }

  private static Diagnostic diagnostic(Source cell, CellError error) {
    var span = Span.BEGINNING;
    for (var place : error.places()) {
      if (place.cell() == cell) {
        span = place.span();
        break;
      }
    }
    var text = error.type().isEmpty() ? error.message() : error.type() + ": " + error.message();
    return Diagnostic.error(error.code(), span, text);
  }
}
