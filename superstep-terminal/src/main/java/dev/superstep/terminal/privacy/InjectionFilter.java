package dev.superstep.terminal.privacy;

import com.google.re2j.Pattern;
import dev.superstep.language.CodePoints;
import dev.superstep.language.Span;
import dev.superstep.language.VisibleText;
import dev.superstep.terminal.privacy.InjectionSignal.Kind;
import dev.superstep.terminal.risk.LetterMixes;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Looks through texts of models and commands, and outputs, for marks and sentences that do not
/// belong there. Letters in other widths and unseen characters between letters do not hide them.
/// Takes a time that grows evenly with the text. Immutable.
public final class InjectionFilter {
  private static final InjectionFilter STANDARD = new InjectionFilter();
  private static final int LENGTH_MAX = 1024 * 1024;
  private static final int SIGNALS_MAX = 100;

  private record Rule(Kind kind, Pattern pattern, String reason) {}

  private static final List<Rule> RULES =
      List.of(
          rule(
              Kind.CHAT_MARK,
              "<\\|[a-z_0-9]{2,40}\\|>|\\[/?INST\\]|<</?SYS>>|<(?:start|end)_of_turn>|<\\|/?[a-z]{2,12}>"
                  + "|<(?:begin|end)[_▁]of[_▁][a-z]{2,12}>|<｜[^｜<>]{2,40}｜>",
              "a mark between the turns of a model"),
          rule(
              Kind.CHAT_MARK,
              "(?m)^\\s{0,3}(?:#{1,4}\\s{0,2}(?:system|assistant|human|user)\\s{0,2}:|(?:system|assistant|human)\\s{0,2}:\\s)",
              "a line that speaks as somebody else"),
          rule(
              Kind.TOOL_MARK,
              "</?(?:tool_call|tool_response|tool_result|function_calls?|function_results?|invoke|antml:[a-z]{1,20}|tool_use)\\b[^>]{0,200}>|<{2,3}/?(?:(?:output|end)\\s)?\\s?[0-9a-f]{16,}"
                  + "|\\b[0-9a-f]{16,}\\s?>{2,3}",
              "a mark of a call of a tool"),
          rule(
              Kind.OVERRIDE,
              "\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:(?:all|any|every|everything|the|your|my|these|those|of|previous|prior|above|earlier|preceding|former|system|safety)\\s+){1,5}"
                  + "(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|context|constraints?|policy|policies)",
              "a sentence that sets aside what was said before"),
          rule(
              Kind.OVERRIDE,
              "\\b(?:new|updated|real|actual|revised)\\s+(?:system\\s+)?(?:instructions?|prompt|directive)s?\\s*(?::|from)|\\byou\\s+are\\s+now\\s+(?:a|an|in|the|no"
                  + " longer)\\b|\\b(?:developer|dan|god|jailbreak)\\s+mode\\s+(?:is\\s+)?(?:on|enabled|active)"
                  + "|\\bimportant\\s*:?\\s+(?:note|message|instruction)s?\\s+(?:to|for)\\s+(?:the\\s+)?(?:ai|assistant|agent|model|llm)\\b"
                  + "|\\b(?:ai|llm)\\s+(?:agents?|assistants?|models?)\\s*(?:must|should|:|,\\s+please)",
              "a sentence that gives a model new orders"),
          rule(
              Kind.SECRECY,
              "\\b(?:do\\s+not|don't|never|without)\\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|alert(?:ing)?|ask(?:ing)?|notify(?:ing)?)\\s+"
                  + "(?:(?:this|it|that|anything|any\\s+of\\s+this)\\s+)?(?:to\\s+)?(?:the\\s+)?(?:user|person|human|operator|developer)\\b",
              "a sentence that keeps something from the person"),
          rule(
              Kind.CARRIER,
              "!\\[[^\\]]{0,200}\\]\\(\\s{0,4}https?://[^)\\s]{0,500}[?&=#][^)]{0,500}\\)",
              "a picture whose address carries data"),
          rule(
              Kind.IMITATION,
              "(?m)^[\\s>*_`\\[(-]{0,6}(?:(?:tool|command|function|program|shell|terminal)["
                  + " _-](?:output|result|response|message)s?|output of (?:step|command)"
                  + " \\d{1,3}|std(?:out|err)|exit"
                  + " (?:status|code)|observation)\\s{0,2}[\\])*_`]{0,3}\\s{0,2}:",
              "a line that looks like an output of a program"),
          rule(
              Kind.IMITATION,
              "\\b(?:user|person|human|operator|owner|administrator|admin|policy|superstep)\\s+(?:has\\s+|have\\s+)?(?:already\\s+|just\\s+|previously\\s+)?"
                  + "(?:approved|authori[sz]ed|confirmed|consented|pre-?approved|whitelisted)\\b"
                  + "|\\b(?:already|pre-?)\\s{0,1}(?:approved|authori[sz]ed)\\b|\\bno\\s+(?:approval|confirmation|review)\\s+(?:is\\s+)?(?:needed|required|necessary)\\b",
              "a sentence that claims an approval"));

  private InjectionFilter() {}

  /// The built-in marks and sentences.
  public static InjectionFilter standard() {
    return STANDARD;
  }

  private static Rule rule(Kind kind, String pattern, String reason) {
    return new Rule(kind, Pattern.compile("(?i)" + pattern), reason);
  }

  /// Hints in the order of their places, at most 100.
  public List<InjectionSignal> scan(String text) {
    var looked = text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX);
    var plain = PlainText.of(looked);
    var signals = new ArrayList<InjectionSignal>();
    unseen(looked, signals);
    for (var span : LetterMixes.in(looked)) {
      if (signals.size() == SIGNALS_MAX) break;
      var letters = CodePoints.foreign(looked.substring(span.start(), span.end()));
      var reason = "letters that look like others: " + letters;
      signals.add(new InjectionSignal(Kind.LOOKALIKE, span, reason));
    }
    for (var rule : RULES) {
      var matcher = rule.pattern().matcher(plain.text());
      while (matcher.find() && signals.size() < SIGNALS_MAX) {
        var span = plain.original(matcher.start(), matcher.end());
        signals.add(new InjectionSignal(rule.kind(), span, rule.reason()));
      }
    }
    signals.sort(Comparator.comparingInt(signal -> signal.span().start()));
    return List.copyOf(signals);
  }

  private static void unseen(String text, List<InjectionSignal> to) {
    // Colours of programs are no hint: they are taken out where outputs are shown.
    if (VisibleText.exact(text).equals(text)) return;
    int i = 0;
    while (i < text.length() && to.size() < SIGNALS_MAX) {
      int from = i;
      while (i < text.length() && isUnseen(text.codePointAt(i))) {
        i += Character.charCount(text.codePointAt(i));
      }
      if (i > from) {
        var what = CodePoints.foreign(text.substring(from, i));
        to.add(new InjectionSignal(Kind.UNSEEN, new Span(from, i), "unseen characters: " + what));
      } else {
        i += Character.charCount(text.codePointAt(i));
      }
    }
  }

  private static boolean isUnseen(int c) {
    return VisibleText.isUnseen(c) && c != '\r' && c != 0x200D && c != 0xFE0F;
  }

  /// A text in plain letters, and where each stood.
  @SuppressWarnings("ArrayRecordComponent") // never compared, and seen by nobody else
  private record PlainText(String text, int[] from) {
    static PlainText of(String text) {
      var plain = new StringBuilder(text.length());
      var from = new int[text.length() * 4 + 16];
      for (int i = 0; i < text.length(); ) {
        int c = text.codePointAt(i);
        boolean isDropped = c != ' ' && VisibleText.isUnseen(c) && !Character.isSpaceChar(c);
        if (!isDropped) {
          for (char each : letters(c).toCharArray()) {
            if (plain.length() == from.length - 1) break;
            from[plain.length()] = i;
            plain.append(each);
          }
        }
        i += Character.charCount(c);
      }
      from[plain.length()] = text.length();
      return new PlainText(plain.toString(), from);
    }

    private static String letters(int c) {
      if (c < 0x80) return Character.toString(c);
      if (Character.isSpaceChar(c)) return " ";
      // The bars of one family of marks.
      if (c == 0xFF5C) return "｜";
      return Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
    }

    Span original(int start, int end) {
      return new Span(from[start], Math.max(from[start], from[end]));
    }
  }
}
