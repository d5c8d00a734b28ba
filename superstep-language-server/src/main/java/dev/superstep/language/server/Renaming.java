package dev.superstep.language.server;

import dev.superstep.language.server.SymbolTable.Form;
import dev.superstep.language.server.SymbolTable.Kind;
import dev.superstep.language.server.SymbolTable.Occurrence;
import dev.superstep.language.server.SymbolTable.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;

/// New names for what a source declares, in all places at once.
final class Renaming {
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern NODE = Pattern.compile("[A-Za-z_][A-Za-z0-9 _.:-]{0,199}");
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_:-]{0,199}");

  private Renaming() {}

  /// Returns whether a name needs no quotes.
  static boolean isWord(String name) {
    return WORD.matcher(name).matches();
  }

  /// The name at an offset, if this source declares it.
  ///
  /// @throws ResponseErrorException if nothing there can be renamed
  static Occurrence at(OpenDocument document, int offset) {
    var found =
        document
            .symbols()
            .at(offset)
            .orElseThrow(() -> refused("only graphs, nodes and channels can be renamed"));
    if (document.symbols().definition(found.symbol()).isEmpty()) {
      throw refused("`" + found.symbol().name() + "` is not declared in this source");
    }
    return found;
  }

  /// The edits that rename something.
  ///
  /// @throws ResponseErrorException if the name cannot be, or would mean something else
  static List<TextEdit> edits(OpenDocument document, Symbol symbol, String name) {
    check(document, symbol, name);
    var places = document.symbols().occurrences(symbol);
    var edits = new ArrayList<TextEdit>();
    var text = new StringBuilder();
    int at = 0;
    for (var place : places.stream().sorted(Renaming::order).toList()) {
      var written = written(place.form(), name);
      edits.add(new TextEdit(document.range(place.span()), written));
      text.append(document.source().text(), at, place.span().start()).append(written);
      at = place.span().end();
    }
    text.append(document.source().text().substring(at));
    verify(document, new Symbol(symbol.kind(), symbol.graph(), name), places.size(), text);
    return edits;
  }

  private static int order(Occurrence a, Occurrence b) {
    return Integer.compare(a.span().start(), b.span().start());
  }

  private static void check(OpenDocument document, Symbol symbol, String name) {
    if (name.equals("START") || name.equals("END")) {
      throw refused("`" + name + "` is reserved");
    }
    var pattern = symbol.kind() == Kind.CHANNEL ? CHANNEL : NODE;
    if (!pattern.matcher(name).matches()) {
      throw refused("a name begins with a letter or `_`, and holds letters, digits and `_`");
    }
    var other = new Symbol(symbol.kind(), symbol.graph(), name);
    if (!document.symbols().occurrences(other).isEmpty()) {
      throw refused("there is a `" + name + "` already");
    }
    boolean isInText =
        document.symbols().occurrences(symbol).stream()
            .anyMatch(place -> place.form() == Form.PLACEHOLDER);
    if (isInText && !isWord(name)) {
      throw refused("a prompt names the channel, so its name holds letters, digits and `_` only");
    }
  }

  private static String written(Form form, String name) {
    return switch (form) {
      case NAME -> isWord(name) ? name : "\"" + name + "\"";
      case STRING -> "\"" + name + "\"";
      case PLACEHOLDER -> name;
    };
  }

  /// A word of the language may mean something else where it stands, so the result is read again.
  private static void verify(
      OpenDocument document, Symbol renamed, int places, StringBuilder text) {
    var after = SymbolTable.of(OpenDocument.parse(text.toString()));
    boolean isSame =
        after.occurrences(renamed).size() == places
            && after.occurrences().size() == document.symbols().occurrences().size();
    if (!isSame) throw refused("`" + renamed.name() + "` would mean something else here");
  }

  private static ResponseErrorException refused(String message) {
    return new ResponseErrorException(
        new ResponseError(ResponseErrorCode.RequestFailed, message, null));
  }
}
