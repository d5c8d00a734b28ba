package dev.superstep.example.triage;

import dev.superstep.example.triage.Triage.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A rule that a message hit, and where. Rules are code and read the whole message, so a message
/// that talks the model into a harmless answer still reaches a person.
record Risk(Rule rule, String reason) {
  private static final int AROUND = 40;

  /// What nobody should do only because a message says so.
  enum Rule {
    MONEY(
        "money is to be paid or refunded",
        "refund|reimburs|money back|invoice|payout|remittance|(bank|wire) transfer|payment due"
            + "|rechnung|überweis|erstatt|geld zurück|mahnung"),
    ACCESS(
        "access or credentials are to be changed",
        "password|passwort|kennwort|credential|admin rights|access rights|permissions|log-?in\\b"
            + "|locked out|zugangsdaten|two-factor|2fa"),
    LEGAL(
        "legal action is announced",
        "lawyer|attorney|solicitor|law firm|lawsuit|liable|liability|letter before action"
            + "|\\bcourt\\b|\\bsue you|legal action|anwalt|anwält|klage einreichen|\\bgericht\\b"),
    DELETION(
        "data is to be deleted",
        "gdpr|dsgvo|right to be forgotten|(erase|delete)\\b.{0,40}\\b(data|account|record)"
            + "|(daten|konto).{0,40}lösch|lösch.{0,40}(daten|konto)"),
    MANIPULATION(
        "it talks to the software that reads it",
        "(ignore|disregard|forget)\\b.{0,30}\\b(instruction|prompt|rule)s?"
            + "|mark(ed)?\\b.{0,20}\\bas approved|system prompt|</?message>");

    private final String meaning;
    private final Pattern words;

    Rule(String meaning, String words) {
      this.meaning = meaning;
      this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /// The rule for what the model calls a message.
    private static Optional<Rule> forWhat(Category category) {
      return switch (category) {
        case REFUND, INVOICE -> Optional.of(MONEY);
        case ACCESS -> Optional.of(ACCESS);
        case LEGAL -> Optional.of(LEGAL);
        case DELETION -> Optional.of(DELETION);
        case FAULT, QUESTION, PRAISE, SPAM -> Optional.empty();
      };
    }

    /// For people: completes "asked because".
    String meaning() {
      return meaning;
    }
  }

  /// Every rule that the message hits, by its words or by what the model calls it.
  static List<Risk> in(Letter letter, Category category) {
    var text = letter.heading().subject() + "\n" + letter.text();
    var risks = new ArrayList<Risk>();
    for (var rule : Rule.values()) {
      var words = words(rule, text).map(found -> "the message says “" + found + "”");
      boolean said = Rule.forWhat(category).filter(rule::equals).isPresent();
      if (words.isPresent() || said) {
        risks.add(new Risk(rule, words.orElse("the model calls it " + category)));
      }
    }
    return risks;
  }

  private static Optional<String> words(Rule rule, String text) {
    var found = rule.words.matcher(text);
    if (!found.find()) return Optional.empty();
    int start = Math.max(0, found.start() - AROUND);
    int end = Math.min(text.length(), found.end() + AROUND);
    return Optional.of("…" + Plain.line(text.substring(start, end), end - start) + "…");
  }
}
