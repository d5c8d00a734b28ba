package dev.superstep.bench.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// A nested value that is about 5 KB as JSON. Immutable.
public record Document(String title, List<Section> sections, Map<String, String> notes) {
  private static final int SECTIONS = 8;
  private static final int POINTS = 6;
  private static final int NOTES = 10;

  /// A part of it.
  public record Section(String name, List<Point> points) {
    public Section {
      points = List.copyOf(points);
    }
  }

  /// A part of that.
  public record Point(long number, String text, boolean open) {}

  public Document {
    sections = List.copyOf(sections);
    notes = Map.copyOf(notes);
  }

  /// One that differs from all other numbers'.
  public static Document of(long number) {
    return of(number, SECTIONS);
  }

  /// Creates a document of sections of some 600 bytes each, unlike that of any other number.
  public static Document of(long number, int sectionCount) {
    var notes = new TreeMap<String, String>();
    for (int i = 0; i < NOTES; i++) notes.put("note-" + i, "what was noted on " + (number + i));
    var sections = IntStream.range(0, sectionCount).mapToObj(i -> section(number, i)).toList();
    return new Document("document " + number, sections, notes);
  }

  private static Section section(long number, int place) {
    var points =
        IntStream.range(0, POINTS)
            .mapToObj(
                i -> new Point(number * i, "a point about " + place + " that is to be kept", i > 2))
            .toList();
    return new Section("section " + place, points);
  }

  /// As maps, lists and scalars, for systems without types. They can be serialized.
  public Map<String, Object> asMaps() {
    var parts = new ArrayList<Map<String, Object>>();
    for (var section : sections) {
      var points = new ArrayList<Map<String, Object>>();
      for (var point : section.points()) {
        var map = new HashMap<String, Object>();
        map.put("number", point.number());
        map.put("text", point.text());
        map.put("open", point.open());
        points.add(map);
      }
      var map = new HashMap<String, Object>();
      map.put("name", section.name());
      map.put("points", points);
      parts.add(map);
    }
    var map = new HashMap<String, Object>();
    map.put("title", title);
    map.put("sections", parts);
    map.put("notes", new HashMap<>(notes));
    return map;
  }

  /// As JSON, written by hand.
  public String json() {
    var text = new StringBuilder("{\"title\":\"").append(title).append("\",\"sections\":[");
    var comma = "";
    for (var section : sections) {
      text.append(comma).append("{\"name\":\"").append(section.name()).append("\",\"points\":[");
      var inner = "";
      for (var point : section.points()) {
        text.append(inner).append("{\"number\":").append(point.number());
        text.append(",\"text\":\"").append(point.text());
        text.append("\",\"open\":").append(point.open()).append('}');
        inner = ",";
      }
      text.append("]}");
      comma = ",";
    }
    text.append("],\"notes\":{");
    comma = "";
    for (var note : notes.entrySet()) {
      text.append(comma).append('"').append(note.getKey()).append("\":\"");
      text.append(note.getValue()).append('"');
      comma = ",";
    }
    return text.append("}}").toString();
  }
}
