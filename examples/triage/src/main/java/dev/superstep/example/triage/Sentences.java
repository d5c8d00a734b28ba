package dev.superstep.example.triage;

import static java.util.stream.Collectors.joining;

import dev.superstep.example.triage.Reading.Classified;

/// What the program says on a terminal.
final class Sentences {
  private static final int LINE_MAX = 160;

  private Sentences() {}

  /// A question to a person.
  static String ask(Classified message) {
    var heading = message.heading();
    var triage = message.triage();
    return """
    May the desk act on %s? (%s, urgency %s)
      From %s: %s
      The model says: %s Wanted: %s
      Asked because %s
    """
        .formatted(
            line(heading.file()),
            triage.category(),
            triage.urgency(),
            line(heading.sender()),
            line(heading.subject()),
            line(triage.summary()),
            line(triage.request()),
            message.risks().stream().map(Sentences::because).collect(joining(";\n    ")))
        .strip();
  }

  private static String because(Risk risk) {
    return risk.rule().meaning() + ": " + line(risk.reason());
  }

  /// The numbers of a run, in one line.
  static String counts(Triaged all) {
    return "%d classified, %d not classified, %d not read; %d approved, %d declined."
        .formatted(
            all.classified().size(),
            all.unclear().size(),
            all.unread().size(),
            all.approved(),
            all.declined());
  }

  private static String line(String text) {
    return text.isBlank() ? "(unknown)" : Plain.line(text, LINE_MAX);
  }
}
