package dev.superstep.example.guide.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Every type of the overview exists, is public, lies in an exported package, and has a page.
class ApiOverviewTest {
  private static final ReferencePage PAGE = ReferencePage.of("api-overview.md");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `(\\w+)` \\| `([\\w.]+)` \\| [^|]+ \\| \\[[^]]+]\\(([^)#]+)[^)]*\\) \\|");
  private static final Pattern EXPORT = Pattern.compile("^  exports ([\\w.]+);", Pattern.MULTILINE);

  private record Row(String type, String packageName, String page) {}

  @Test
  void every_type_is_public_in_an_exported_package() {
    var sources = Source.all();
    var exported = exported(sources).stream().flatMap(line -> line.packages.stream()).toList();
    var rows = rows();
    assertThat(rows).hasSizeGreaterThan(60);
    for (var row : rows) {
      assertThat(exported).as(row.type).contains(row.packageName);
      assertThat(sources.stream().anyMatch(source -> isThat(source, row)))
          .as("%s.%s is public", row.packageName, row.type)
          .isTrue();
    }
  }

  @Test
  void every_page_is_there() {
    for (var row : rows()) {
      assertThat(Files.exists(PAGE.file().resolveSibling(row.page))).as(row.page).isTrue();
    }
  }

  @Test
  void every_row_of_a_table_names_a_type() {
    long lines = PAGE.text().lines().filter(line -> line.matches("\\| `[A-Z].*")).count();
    assertThat(rows()).hasSize((int) lines);
  }

  @Test
  void the_packages_are_those_of_the_modules() {
    var lines = new ArrayList<String>();
    lines.add("| module | packages |");
    lines.add("|---|---|");
    for (var module : exported(Source.all())) {
      lines.add("| `%s` | `%s` |".formatted(module.name, String.join("`, `", module.packages)));
    }
    PAGE.check("packages", String.join("\n", lines) + "\n");
  }

  private static boolean isThat(Source source, Row row) {
    var declared = "(?m)^public [\\w @-]*(class|record|interface|enum|@interface) ";
    return source.name().equals(row.type)
        && source.packageName().equals(row.packageName)
        && Pattern.compile(declared + row.type + "\\b").matcher(source.text()).find();
  }

  private record Module(String name, List<String> packages) {}

  private static List<Module> exported(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.name().equals("module-info"))
        .map(source -> {
          var found = EXPORT.matcher(source.text()).results().map(m -> m.group(1)).toList();
          return new Module(source.module(), found);
        })
        .filter(module -> !module.packages.isEmpty())
        .toList();
  }

  private static List<Row> rows() {
    return ROW.matcher(PAGE.text())
        .results()
        .map(m -> new Row(m.group(1), m.group(2), m.group(3)))
        .toList();
  }
}
