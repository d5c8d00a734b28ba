package dev.superstep.retrieval.citation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Finds the citations in a text.
final class CitationMarks {
  /// Code, or brackets that belong neither to an index nor to a link.
  private static final Pattern MARKS =
      Pattern.compile(
          "```(?s:.)*?```|`[^`\\n]*`|(?<!\\w)[\\[【]([^\\[\\]【】\\n]{1,200})[\\]】](?![(:])");

  private static final Pattern LABEL = Pattern.compile("(?i)\\d{1,4}|c-[a-z2-7]{8}");
  private static final Pattern GAP = Pattern.compile("\\s*[,;]\\s*");

  private CitationMarks() {}

  static CitedAnswer check(String answer, CitableSources sources) {
    var cited = new ArrayList<CitableSource>();
    var invented = new LinkedHashSet<String>();
    var text =
        replace(
            answer,
            label -> {
              var source = sources.find(label);
              if (source.isEmpty()) {
                invented.add(label);
                return "?";
              }
              if (!cited.contains(source.get())) cited.add(source.get());
              return String.valueOf(cited.indexOf(source.get()) + 1);
            });
    return new CitedAnswer(text, cited, List.copyOf(invented));
  }

  /// Returns a text with other labels in its citations.
  static String replace(String text, Function<String, String> change) {
    return MARKS
        .matcher(text)
        .replaceAll(match -> {
          var inner = match.group(1);
          if (inner == null || !isCitation(inner)) return quoted(match.group());
          var labels = new LinkedHashSet<String>();
          for (var label : GAP.split(inner.strip(), -1)) {
            labels.add(change.apply(label.toLowerCase(Locale.ROOT)));
          }
          return quoted("[" + String.join(", ", labels) + "]");
        });
  }

  private static boolean isCitation(String inner) {
    for (var label : GAP.split(inner.strip(), -1)) {
      if (!LABEL.matcher(label).matches()) return false;
    }
    return true;
  }

  private static String quoted(String text) {
    return java.util.regex.Matcher.quoteReplacement(text);
  }
}
