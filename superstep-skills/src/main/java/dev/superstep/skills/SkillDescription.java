package dev.superstep.skills;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The description that a skill gives of itself, at the beginning of its `SKILL.md`. Immutable.
///
/// @param name the name of its folder: lower-case letters, digits and single hyphens
/// @param description says what it is for; one line without hidden characters
/// @param compatibility says what it needs, such as a program or the network
/// @param metadata anything else, by name
/// @param allowedTools the tools that its author would allow; nothing is allowed by it here
public record SkillDescription(
    String name,
    String description,
    Optional<String> license,
    Optional<String> compatibility,
    Map<String, String> metadata,
    List<String> allowedTools) {
  public SkillDescription {
    metadata = Map.copyOf(metadata);
    allowedTools = List.copyOf(allowedTools);
  }
}
