package dev.superstep.terminal;

import static java.util.Locale.ROOT;

import dev.superstep.terminal.FormProblem.Code;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The form of a plan: `{"steps":[{"description":"..."}]}`, 1 to 12 steps of 3 to 14 words, each
/// beginning with a verb that tells what to do.
final class PlanForm {
  static final int STEPS_MAX = 12;
  static final int WORDS_MIN = 3;
  static final int WORDS_MAX = 14;

  static final ReplyForm<List<String>> FORM =
      ReplyForm.of("plan", PlanReply.class, PlanForm::checked);

  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]");
  private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}'-]*");
  // No list holds all verbs, so what cannot be one in the imperative is refused: other kinds of
  // words, and forms such as `Installing` and `Installed`.
  private static final Set<String> NO_VERBS =
      Set.of(
          "a", "an", "the", "this", "that", "these", "those", "i", "you", "we", "they", "he", "she",
          "it", "my", "your", "our", "please", "then", "next", "first", "second", "third",
          "finally", "lastly", "now", "after", "before", "when", "if", "to", "for", "from", "in",
          "on", "at", "with", "by", "and", "or", "but", "so", "is", "are", "was", "were", "be",
          "can", "could", "should", "would", "will", "must", "may", "might", "what", "how", "why",
          "who", "which", "where", "there", "here", "step", "some", "any", "all", "each", "every",
          "no", "not");
  private static final Set<String> VERBS_LIKE_FORMS =
      Set.of(
          "bring",
          "ping",
          "string",
          "sing",
          "ring",
          "spring",
          "swing",
          "cling",
          "fling",
          "embed",
          "feed",
          "seed",
          "need",
          "speed",
          "shed",
          "exceed",
          "proceed",
          "succeed",
          "heed",
          "breed",
          "process",
          "access",
          "compress",
          "address",
          "pass",
          "focus",
          "discuss",
          "express",
          "bypass",
          "guess",
          "press",
          "dress",
          "bless",
          "stress",
          "toss",
          "cross",
          "miss",
          "suppress",
          "assess",
          "canvas",
          "decompress",
          "progress");

  private PlanForm() {}

  /// The fields of the reply.
  record PlanReply(List<StepReply> steps) {}

  /// The fields of a step.
  record StepReply(String description) {}

  private static List<String> checked(PlanReply reply, List<FormProblem> problems) {
    if (reply.steps().isEmpty()) {
      problems.add(new FormProblem(Code.NO_STEPS, "Give at least one step."));
    }
    if (reply.steps().size() > STEPS_MAX) {
      problems.add(
          new FormProblem(
              Code.TOO_MANY_STEPS,
              "Give at most %d steps, not %d.".formatted(STEPS_MAX, reply.steps().size())));
    }
    for (int i = 0; i < Math.min(reply.steps().size(), STEPS_MAX); i++) {
      check(i + 1, reply.steps().get(i).description(), problems);
    }
    return reply.steps().stream().map(step -> step.description().strip()).toList();
  }

  private static void check(int number, String description, List<FormProblem> problems) {
    var text = description.strip();
    if (UNPRINTABLE.matcher(text).find()) {
      problems.add(
          new FormProblem(Code.UNPRINTABLE, "Step %d holds control characters.".formatted(number)));
      return;
    }
    var words = text.isEmpty() ? new String[0] : SPACES.split(text);
    if (words.length < WORDS_MIN) {
      problems.add(
          new FormProblem(
              Code.TOO_FEW_WORDS,
              "Step %d has %d words; use %d to %d."
                  .formatted(number, words.length, WORDS_MIN, WORDS_MAX)));
    }
    if (words.length > WORDS_MAX) {
      problems.add(
          new FormProblem(
              Code.TOO_MANY_WORDS,
              "Step %d has %d words; use %d to %d."
                  .formatted(number, words.length, WORDS_MIN, WORDS_MAX)));
    }
    if (words.length > 0 && !isImperative(words[0])) {
      problems.add(
          new FormProblem(
              Code.NOT_IMPERATIVE,
              "Step %d begins with `%s`; begin with a verb that tells what to do, such as `Install`."
                  .formatted(number, words[0])));
    }
  }

  static boolean isImperative(String first) {
    var word = first.toLowerCase(ROOT);
    if (!WORD.matcher(word).matches() || NO_VERBS.contains(word)) return false;
    if (VERBS_LIKE_FORMS.contains(word)) return true;
    return !word.endsWith("ing") && !word.endsWith("ed") && !isThirdPerson(word);
  }

  private static boolean isThirdPerson(String word) {
    return word.endsWith("s") && !word.endsWith("ss");
  }
}
