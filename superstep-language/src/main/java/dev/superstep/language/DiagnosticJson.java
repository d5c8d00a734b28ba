package dev.superstep.language;

import dev.superstep.language.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes findings as JSON for other programs.
public final class DiagnosticJson {
  private DiagnosticJson() {}

  /// An object with the file, the findings in the order of the source, and what was left out.
  public static String of(Source source, Diagnostics.Report report) {
    var all = new ArrayList<JsonTree>();
    for (var diagnostic : report.shown()) all.add(tree(source, diagnostic));
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("file", JsonTree.of(source.name()));
    fields.put("errors", JsonTree.of(report.errors()));
    fields.put("omitted", JsonTree.of(report.omitted()));
    fields.put("diagnostics", JsonTree.list(all));
    return JsonTree.object(fields).pretty();
  }

  private static JsonTree tree(Source source, Diagnostic diagnostic) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("severity", JsonTree.of(diagnostic.severity().word()));
    fields.put("code", JsonTree.of(diagnostic.code()));
    fields.put("message", JsonTree.of(diagnostic.message()));
    fields.put("span", span(source, diagnostic.span()));
    fields.put("label", JsonTree.of(diagnostic.primary().text()));
    List<JsonTree> others = new ArrayList<>();
    for (var other : diagnostic.others()) {
      others.add(
          JsonTree.object(
              fields("span", span(source, other.span()), "label", JsonTree.of(other.text()))));
    }
    fields.put("others", JsonTree.list(others));
    fields.put("help", JsonTree.of(diagnostic.help()));
    return JsonTree.object(fields);
  }

  private static Map<String, JsonTree> fields(String a, JsonTree x, String b, JsonTree y) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put(a, x);
    fields.put(b, y);
    return fields;
  }

  private static JsonTree span(Source source, Span span) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("start", position(source.position(span.start())));
    fields.put("end", position(source.position(span.end())));
    return JsonTree.object(fields);
  }

  private static JsonTree position(Position at) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("byte", JsonTree.of(at.bytes()));
    fields.put("line", JsonTree.of(at.line()));
    fields.put("column", JsonTree.of(at.column()));
    return JsonTree.object(fields);
  }
}
