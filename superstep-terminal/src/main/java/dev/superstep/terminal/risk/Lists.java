package dev.superstep.terminal.risk;

import java.util.List;
import java.util.Set;

/// Programs that list all there is of something: whoever removes what they list removes all of it.
final class Lists {
  private static final Set<String> LISTERS = Set.of("ls", "dir", "vdir", "exa", "eza");
  private static final Set<String> PACKAGES =
      Set.of(
          "pip", "pip3", "npm", "yarn", "pnpm", "gem", "brew", "conda", "snap", "flatpak", "apt");
  private static final Set<String> CONTAINERS = Set.of("docker", "podman", "nerdctl", "kubectl");

  private Lists() {}

  /// Returns whether a call lists everything, and nothing restricts it.
  static boolean isOpen(Call call) {
    var words = call.arguments();
    var operands =
        words.stream()
            .filter(word -> !word.value().startsWith("-"))
            .map(ResolvedWord::value)
            .toList();
    var name = call.name();
    if (LISTERS.contains(name)) {
      // `ls *.log` is restricted, `ls` and `ls dir` are not.
      return words.stream().noneMatch(ResolvedWord::isPattern);
    }
    if (PACKAGES.contains(name)) {
      return !operands.isEmpty() && Set.of("freeze", "list", "ls").contains(operands.getFirst());
    }
    if (CONTAINERS.contains(name)) return isOfContainers(operands, words);
    return (name.equals("fd") || name.equals("fdfind")) && operands.isEmpty();
  }

  private static boolean isOfContainers(List<String> operands, List<ResolvedWord> words) {
    boolean isFiltered =
        words.stream()
            .anyMatch(word -> word.value().matches("-f|-l|--filter.*|--selector.*|--field-sel.*"));
    return !isFiltered
        && operands.stream()
            .limit(2)
            .anyMatch(word -> Set.of("ls", "ps", "get", "images").contains(word));
  }
}
