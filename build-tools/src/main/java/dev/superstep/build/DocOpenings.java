package dev.superstep.build;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds Javadoc blocks that open with a word that names nothing: What, Whether, How, One or The
/// same. A block opens with a noun phrase or with a verb in the third person.
final class DocOpenings {
  private static final String DOC = "///";
  private static final Pattern VAGUE = Pattern.compile("(What|Whether|How|One|The same)\\b");

  private DocOpenings() {}

  /// Returns the place and the first line of each such block.
  static List<String> in(SourceFile source) {
    var found = new ArrayList<String>();
    boolean isInside = false;
    int number = 0;
    for (var line : source.lines()) {
      number++;
      var text = line.strip();
      boolean isDoc = text.startsWith(DOC);
      var opening = isDoc ? text.substring(DOC.length()).strip() : "";
      if (isDoc && !isInside && VAGUE.matcher(opening).lookingAt()) {
        found.add(source.path() + ":" + number + " " + opening);
      }
      isInside = isDoc;
    }
    return found;
  }
}
