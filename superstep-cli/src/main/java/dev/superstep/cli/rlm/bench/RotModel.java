package dev.superstep.cli.rlm.bench;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A simulated model that reads worse the more it is given, and nothing beyond its window. It takes
/// a line for another line of its prompt with a chance that grows in proportion to the prompt up to
/// its capacity, and faster beyond; what it then does with the lines is right. It stands for no
/// model: it shows whether a program cuts its text well.
///
/// Its reply depends on seed and prompt alone. Immutable.
record RotModel(int capacity, int window, long seed) implements ChatModel {
  private static final ModelRef REF = new ModelRef("scripted", "rot");
  private static final double MISREAD_AT_CAPACITY = 0.0027;
  private static final double STEEPNESS = 1.5;
  private static final double MISREAD_MAX = 0.9;
  private static final int REPLY_MAX = 8_000;

  /// A capacity of 6,000 characters and a window of 400,000.
  static RotModel standard(long seed) {
    return new RotModel(6_000, 400_000, seed);
  }

  @Override
  public ModelRef ref() {
    return REF;
  }

  @Override
  public ChatReply call(ChatRequest request) {
    var prompt = request.messages().getLast().text();
    if (prompt.length() > window) {
      throw new ModelException(
          ModelException.Kind.CONTEXT_LENGTH,
          "the prompt has %,d characters, the window %,d".formatted(prompt.length(), window));
    }
    int gap = prompt.indexOf("\n\n");
    var instruction = gap < 0 ? prompt : prompt.substring(0, gap);
    var lines = gap < 0 ? List.<String>of() : prompt.substring(gap).strip().lines().toList();
    var answer = LeafSkills.answer(instruction, read(lines, prompt)).orElse("I do not know.");
    return ScriptedModel.text(
        answer.length() <= REPLY_MAX ? answer : answer.substring(0, REPLY_MAX));
  }

  /// The lines as it sees them.
  private List<String> read(List<String> lines, String prompt) {
    double chance = misread(prompt.length());
    var random = new SplittableRandom(seed ^ ((long) prompt.hashCode() << 20));
    var seen = new ArrayList<String>(lines.size());
    for (var line : lines) {
      boolean isMisread = random.nextDouble() < chance;
      seen.add(isMisread ? lines.get(random.nextInt(lines.size())) : line);
    }
    return seen;
  }

  /// The chance of each line to be misread.
  double misread(int length) {
    double times = (double) length / capacity;
    double chance = MISREAD_AT_CAPACITY * (times <= 1 ? times : Math.pow(times, STEEPNESS));
    return Math.min(MISREAD_MAX, chance);
  }
}
