package dev.superstep.skills;

import dev.superstep.tool.ToolError;
import dev.superstep.workspace.FolderListing.Entry.Kind;
import dev.superstep.workspace.Workspace;
import dev.superstep.workspace.WorkspaceLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The folders that skills are looked for in. Of two skills with one name the first counts.
/// Immutable; reads the disk each time.
///
/// @param folders each with folders of skills; one that does not exist counts as empty
record SkillFolders(List<Place> folders) {
  private static final int SKILLS_MAX = 10_000;

  SkillFolders {
    folders = List.copyOf(folders);
  }

  /// A folder with folders of skills.
  ///
  /// @param within the folder that no link may lead out of; null if it may lie anywhere
  record Place(Path folder, @Nullable Path within) {
    Place {
      folder = folder.toAbsolutePath();
    }

    Optional<Workspace> open() {
      try {
        if (!Files.isDirectory(folder)) return Optional.empty();
        var limits = WorkspaceLimits.standard().listings(SKILLS_MAX + 1, 1);
        var workspace = Workspace.at(folder).limits(limits);
        return within == null || workspace.root().startsWith(within.toRealPath())
            ? Optional.of(workspace)
            : Optional.empty();
      } catch (IllegalArgumentException | IOException _) {
        return Optional.empty(); // gone by now
      }
    }

    @Override
    public String toString() {
      return folder.toString();
    }
  }

  /// The content of the folders.
  ///
  /// @param skills in the order of their names
  record Found(List<SkillDescription> skills, List<InvalidSkill> problems) {}

  Found all() {
    var skills = new TreeMap<String, SkillDescription>();
    var problems = new ArrayList<InvalidSkill>();
    int seen = 0;
    for (var folder : folders) {
      var place = folder.open();
      if (place.isEmpty()) continue;
      for (var name : names(place.get())) {
        if (++seen > SKILLS_MAX) {
          problems.add(
              new InvalidSkill(name, "There are more than %d skills.".formatted(SKILLS_MAX)));
          return found(skills, problems);
        }
        try {
          add(SkillReader.head(place.get(), checked(name)), folder, skills);
        } catch (InvalidSkill e) {
          problems.add(e);
        }
      }
    }
    return found(skills, problems);
  }

  private static Found found(Map<String, SkillDescription> skills, List<InvalidSkill> problems) {
    return new Found(List.copyOf(skills.values()), List.copyOf(problems));
  }

  private static void add(
      SkillDescription skill, Place folder, Map<String, SkillDescription> skills) {
    if (skills.putIfAbsent(skill.name(), skill) != null) {
      throw new InvalidSkill(
          skill.name(),
          "Another folder before `%s` has a skill of that name, which counts.".formatted(folder));
    }
  }

  private static String checked(String name) {
    if (SkillReader.isName(name)) return name;
    throw new InvalidSkill(
        name, "The name of its folder is not of lower-case letters, digits and single hyphens.");
  }

  /// Finds a skill as it is now.
  ///
  /// @throws InvalidSkill if there is something of that name that cannot be used
  Optional<Skill> find(String name) {
    if (!SkillReader.isName(name)) return Optional.empty();
    for (var folder : folders) {
      var place = folder.open();
      if (place.isEmpty() || !Files.exists(place.get().root().resolve(name).resolve(Skill.FILE))) {
        continue;
      }
      return Optional.of(SkillReader.whole(place.get(), name));
    }
    return Optional.empty();
  }

  /// The folders that are there, in order; other entries are no skills.
  private static List<String> names(Workspace place) {
    try {
      return place.list("", 1).entries().stream()
          .filter(entry -> entry.kind() == Kind.DIRECTORY || entry.kind() == Kind.LINK)
          .map(entry -> entry.path())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    } catch (ToolError _) {
      return List.of(); // gone by now
    }
  }
}
