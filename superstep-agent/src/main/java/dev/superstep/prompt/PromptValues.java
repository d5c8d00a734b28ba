package dev.superstep.prompt;

import dev.superstep.message.Message;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The values for a prompt template. A value is text, whatever it looks like: what is a placeholder
/// or a heading in a template is neither in a value. Immutable.
public final class PromptValues {
  private static final PromptValues NONE = new PromptValues(Map.of(), Map.of());

  private final Map<String, String> texts;
  private final Map<String, List<Message>> conversations;

  private PromptValues(Map<String, String> texts, Map<String, List<Message>> conversations) {
    this.texts = texts;
    this.conversations = conversations;
  }

  /// No values.
  public static PromptValues none() {
    return NONE;
  }

  /// A value.
  public static PromptValues of(String name, String text) {
    return NONE.and(name, text);
  }

  /// Values by their names.
  public static PromptValues of(Map<String, String> texts) {
    return new PromptValues(Map.copyOf(texts), Map.of());
  }

  /// Returns a copy with one more value.
  public PromptValues and(String name, String text) {
    return new PromptValues(plus(texts, name, Objects.requireNonNull(text, name)), conversations);
  }

  /// Returns a copy with messages for a place that takes a conversation.
  public PromptValues and(String name, List<? extends Message> messages) {
    return new PromptValues(texts, plus(conversations, name, List.copyOf(messages)));
  }

  Map<String, String> texts() {
    return texts;
  }

  Map<String, List<Message>> conversations() {
    return conversations;
  }

  /// The names; no values.
  @Override
  public String toString() {
    return "PromptValues" + texts.keySet() + conversations.keySet();
  }

  private static <V> Map<String, V> plus(Map<String, V> some, String name, V value) {
    var more = new LinkedHashMap<>(some);
    more.put(name, value);
    return Collections.unmodifiableMap(more);
  }
}
