package dev.superstep.example.triage;

/// What the report says of a message's origin. The text itself stays in its file.
///
/// @param sender as the message's header says, or empty
/// @param subject as the message's header says, or empty
/// @param characters the length of the message
record Heading(String file, String sender, String subject, int characters) {
  boolean wasCut() {
    return characters > Letter.READ_MAX;
  }
}
