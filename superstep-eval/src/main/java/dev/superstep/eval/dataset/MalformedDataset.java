package dev.superstep.eval.dataset;

import dev.superstep.json.SuperstepException;
import java.util.List;
import java.util.stream.Collectors;

/// A dataset with lines that are no cases, or with two cases of one id. Nothing has run.
public final class MalformedDataset extends SuperstepException {
  private static final long serialVersionUID = 1;
  private static final int SHOWN_MAX = 20;

  private final transient List<BrokenLine> lines;

  /// A broken line.
  ///
  /// @param source the file, or where the text came from
  /// @param line counted from 1
  /// @param why what is wrong with it
  public record BrokenLine(String source, int line, String why) {
    @Override
    public String toString() {
      return source + ":" + line + ": " + why;
    }
  }

  MalformedDataset(List<BrokenLine> lines) {
    super("eval.dataset", message(lines));
    this.lines = List.copyOf(lines);
  }

  private static String message(List<BrokenLine> lines) {
    var shown =
        lines.stream().limit(SHOWN_MAX).map(BrokenLine::toString).collect(Collectors.joining("\n"));
    var more =
        lines.size() > SHOWN_MAX ? "\nand " + (lines.size() - SHOWN_MAX) + " more lines" : "";
    return "The dataset cannot be used. Correct these lines:\n" + shown + more;
  }

  /// The broken lines, in their order.
  public List<BrokenLine> lines() {
    return lines;
  }
}
