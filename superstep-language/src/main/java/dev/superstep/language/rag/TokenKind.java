package dev.superstep.language.rag;

/// The kinds of tokens.
public enum TokenKind {
  IDENTIFIER("a name"),
  STRING("a string"),
  TRIPLE("a string"),
  NUMBER("a number"),
  DURATION("a duration"),
  LEFT_BRACE("`{`"),
  RIGHT_BRACE("`}`"),
  LEFT_BRACKET("`[`"),
  RIGHT_BRACKET("`]`"),
  LESS("`<`"),
  GREATER("`>`"),
  COMMA("`,`"),
  COLON("`:`"),
  QUESTION("`?`"),
  ARROW("`->`"),
  /// Characters that are no token; an error was reported.
  INVALID("an invalid token"),
  END("the end of the source");

  private final String noun;

  TokenKind(String noun) {
    this.noun = noun;
  }

  /// The words for it in a message.
  public String noun() {
    return noun;
  }

  boolean opens() {
    return this == LEFT_BRACE || this == LEFT_BRACKET;
  }

  boolean closes() {
    return this == RIGHT_BRACE || this == RIGHT_BRACKET;
  }
}
