package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.MappedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes the output of `echo` and `printf`, and of decoders that read it, so that a command that
/// hides in it is found.
final class EchoedText {
  // Longer texts are not computed: they count as unknown.
  private static final int LENGTH_MAX = 8192;
  private static final int WORDS_MAX = 1000;

  private EchoedText() {}

  /// The output of `echo` or `printf`; `null` if the words are another command.
  static @Nullable MappedText of(List<ResolvedWord> words) {
    var name = words.getFirst().value();
    if (words.stream().mapToInt(word -> word.text().length() + 1).sum() > LENGTH_MAX) return null;
    if (name.equals("echo")) return echo(words);
    if (name.equals("printf") && words.size() > 1) return printf(words);
    return null;
  }

  private static MappedText echo(List<ResolvedWord> words) {
    int from = 1;
    boolean isEscaped = false;
    while (from < words.size() && words.get(from).value().matches("-[neE]+")) {
      isEscaped |= words.get(from).value().contains("e");
      from++;
    }
    var text = joined(words.subList(from, words.size()), words.getFirst().span());
    return isEscaped || text.text().indexOf('\\') >= 0 ? unescaped(text) : text;
  }

  /// Words with a blank between them.
  static MappedText joined(List<ResolvedWord> words, Span span) {
    int length = words.stream().mapToInt(word -> word.text().length() + 1).sum();
    if (length > 2 * LENGTH_MAX || words.size() > WORDS_MAX) {
      return MappedText.of(String.valueOf(ResolvedWord.UNKNOWN), span);
    }
    var texts = new ArrayList<MappedText>();
    for (int i = 0; i < words.size(); i++) {
      if (i > 0) texts.add(MappedText.of(" ", words.get(i).span()));
      texts.add(words.get(i).text());
    }
    return MappedText.joined(texts);
  }

  private static MappedText printf(List<ResolvedWord> words) {
    int from = words.get(1).is("--") ? 2 : 1;
    if (from >= words.size()) return MappedText.of("", words.getFirst().span());
    var format = unescaped(words.get(from).text());
    var text = MappedText.of("", words.getFirst().span());
    int next = from + 1;
    do {
      int before = next;
      for (int i = 0; i < format.length(); i++) {
        char c = format.text().charAt(i);
        if (c != '%' || i + 1 == format.length()) {
          text = text.append(format.part(i, i + 1));
          continue;
        }
        char kind = format.text().charAt(++i);
        if (kind == '%') text = text.append(format.part(i, i + 1));
        else if (next < words.size()) {
          var word = words.get(next++);
          text = text.append(kind == 'b' ? unescaped(word.text()) : word.text());
        }
      }
      if (before == next) break;
    } while (next < words.size() && text.length() < 4096);
    return text;
  }

  /// Replaces `\n`, `\x72`, `\0162` and such.
  private static MappedText unescaped(MappedText text) {
    var all = MappedText.of("", Span.BEGINNING);
    var value = text.text();
    int plain = 0;
    for (int i = 0; i + 1 < value.length(); i++) {
      if (value.charAt(i) != '\\') continue;
      int end = escapeEnd(value, i + 1);
      var one = decoded(value.substring(i + 1, end));
      if (one == null) {
        i++;
        continue;
      }
      all = all.append(text.part(plain, i)).append(MappedText.of(one, text.span(i, end)));
      plain = end;
      i = end - 1;
    }
    return all.append(text.part(plain, value.length()));
  }

  private static int escapeEnd(String value, int from) {
    char c = value.charAt(from);
    int end = from + 1;
    boolean isHex = c == 'x';
    if (!isHex && (c < '0' || c > '7')) return end;
    int most = isHex ? end + 2 : from + (c == '0' ? 4 : 3);
    while (end < value.length() && end < most) {
      if (Character.digit(value.charAt(end), isHex ? 16 : 8) < 0) break;
      end++;
    }
    return end;
  }

  private static @Nullable String decoded(String escape) {
    char c = escape.charAt(0);
    int named = "abefnrtv\\".indexOf(c);
    if (named >= 0) return String.valueOf("\u0007\b\u001B\f\n\r\t\u000B\\".charAt(named));
    if (c == 'x' && escape.length() > 1) {
      return String.valueOf((char) Integer.parseInt(escape.substring(1), 16));
    }
    if (c >= '0' && c <= '7') return String.valueOf((char) (Integer.parseInt(escape, 8) & 0xFF));
    return null;
  }

  /// The output of a decoder on a known text; `null` if it cannot be computed.
  static @Nullable MappedText decode(String program, List<ResolvedWord> arguments, MappedText in) {
    var options = arguments.stream().map(ResolvedWord::value).toList();
    var text = in.text().strip();
    try {
      var decoded =
          switch (program) {
            case "base64" ->
                options.stream().anyMatch(o -> o.matches("-[A-Za-z]*[dD][A-Za-z]*|--d[a-z]*"))
                    ? new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8)
                    : null;
            case "xxd" ->
                options.stream().anyMatch(o -> o.matches("-[a-z]*r[a-z]*"))
                    ? new String(
                        HexFormat.of().parseHex(text.replaceAll("\\s", "")), StandardCharsets.UTF_8)
                    : null;
            case "rev" -> new StringBuilder(text).reverse().toString();
            case "cat", "tee", "head", "tail" -> arguments.isEmpty() ? in.text() : null;
            default -> null;
          };
      return decoded == null ? null : MappedText.of(decoded, in.span(0, in.length()));
    } catch (IllegalArgumentException e) {
      // Not in that code after all: what comes out is not known.
      return null;
    }
  }
}
