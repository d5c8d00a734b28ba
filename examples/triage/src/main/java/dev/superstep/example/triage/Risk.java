package dev.superstep.example.triage;

import dev.superstep.example.triage.Triage.Category;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// A rule that a message hit, and where. Rules are code and read the whole file, headers too, so a
/// message that talks the model into a harmless answer still reaches a person. [Wording] tells what
/// they cannot see.
record Risk(Rule rule, String reason) {
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
            + "|mark(ed)?\\b.{0,20}\\bas approved|system prompt|<[\\s/]*message\\b");

    private final String meaning;
    private final Pattern words;
    private final Pattern plainWords;

    Rule(String meaning, String words) {
      this.meaning = meaning;
      this.words = Pattern.compile(words, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
      this.plainWords = Pattern.compile(Wording.plain(words));
    }

    private Optional<Risk> in(Wording wording) {
      return wording
          .find(words, plainWords)
          .map(found -> new Risk(this, "the message says “" + found + "”"));
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
    var called = Rule.forWhat(category);
    return in(
        letter,
        rule ->
            called.filter(rule::equals).map(_ -> new Risk(rule, "the model calls it " + category)));
  }

  /// Every rule that the message hits by its words alone.
  static List<Risk> in(Letter letter) {
    return in(letter, _ -> Optional.empty());
  }

  private static List<Risk> in(Letter letter, Function<Rule, Optional<Risk>> otherwise) {
    var wording = Wording.of(letter.whole());
    return Arrays.stream(Rule.values())
        .flatMap(rule -> rule.in(wording).or(() -> otherwise.apply(rule)).stream())
        .toList();
  }
}
