package dev.superstep.example.guide.documents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes a few documents for [Library].
final class SampleFiles {
  private SampleFiles() {}

  static Path write(Path folder) throws IOException {
    Files.writeString(folder.resolve("visit.md"), "# Visits\n\nDogs must wait outside.\n");
    Files.writeString(
        folder.resolve("payment.html"),
        """
        <html><body><h1>Payment</h1>
        <h2>Refunds</h2>
        <p>Money comes back within a week.</p>
        </body></html>
        """);
    Files.write(
        folder.resolve("terms.pdf"),
        pdf(
            List.of(
                List.of("General terms", "They hold for all orders."),
                List.of("The guarantee lasts three years.", "It begins on the day of delivery."))));
    Files.write(folder.resolve("shipping.docx"), docx("Shipping is free. We pay for the parcel."));
    Files.write(folder.resolve("broken.pdf"), new byte[] {'%', 'P', 'D', 'F'});
    return folder;
  }

  /// The smallest Word file: three parts in a zip.
  private static byte[] docx(String text) throws IOException {
    var main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    var out = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(out)) {
      put(
          zip,
          "[Content_Types].xml",
          """
          <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
          <Default Extension="rels"
          ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
          <Override PartName="/document.xml" ContentType="%s"/></Types>\
          """
              .formatted(main));
      put(
          zip,
          "_rels/.rels",
          """
          <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
          <Relationship Id="r1" Target="document.xml" Type="http://schemas.openxmlformats.org\
          /officeDocument/2006/relationships/officeDocument"/></Relationships>\
          """);
      put(
          zip,
          "document.xml",
          """
          <w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
          <w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>\
          """
              .formatted(text));
    }
    return out.toByteArray();
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  /// A PDF with a page for each list of lines.
  private static byte[] pdf(List<List<String>> pages) {
    var objects = new ArrayList<String>();
    objects.add("<< /Type /Catalog /Pages 2 0 R >>");
    var kids = new StringBuilder();
    for (int i = 0; i < pages.size(); i++) kids.append(4 + 2 * i).append(" 0 R ");
    objects.add("<< /Type /Pages /Kids [%s] /Count %d >>".formatted(kids, pages.size()));
    objects.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    for (var lines : pages) {
      var text = new StringBuilder("BT /F1 12 Tf 50 700 Td ");
      for (var line : lines) text.append("(%s) Tj 0 -16 Td ".formatted(line));
      text.append("ET");
      objects.add(
          """
          << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R \
          /Resources << /Font << /F1 3 0 R >> >> >>\
          """
              .formatted(objects.size() + 2));
      objects.add("<< /Length %d >>\nstream\n%s\nendstream".formatted(text.length(), text));
    }
    var file = new StringBuilder("%PDF-1.4\n");
    var offsets = new StringBuilder("0000000000 65535 f \n");
    for (int i = 0; i < objects.size(); i++) {
      offsets.append("%010d 00000 n \n".formatted(file.length()));
      file.append("%d 0 obj\n%s\nendobj\n".formatted(i + 1, objects.get(i)));
    }
    int table = file.length();
    int size = objects.size() + 1;
    file.append("xref\n0 %d\n%s".formatted(size, offsets));
    file.append(
        "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n".formatted(size, table));
    return file.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
