package dev.superstep.documents.tika;

import java.awt.Rectangle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.poi.xwpf.usermodel.XWPFStyle;
import org.openxmlformats.schemas.wordprocessingml.x2006.main.CTStyle;

/// Files for tests, made by the libraries that read them.
final class OfficeFiles {
  private OfficeFiles() {}

  /// A PDF with a page for each list of lines.
  static byte[] pdf(String title, List<List<String>> pages) throws IOException {
    try (var document = new PDDocument()) {
      addPages(document, pages);
      document.getDocumentInformation().setTitle(title);
      return saved(document);
    }
  }

  static byte[] encryptedPdf() throws IOException {
    try (var document = new PDDocument()) {
      addPages(document, List.of(List.of("secret")));
      document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
      return saved(document);
    }
  }

  private static void addPages(PDDocument document, List<List<String>> pages) throws IOException {
    for (var lines : pages) {
      var page = new PDPage();
      document.addPage(page);
      try (var content = new PDPageContentStream(document, page)) {
        content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 11);
        content.beginText();
        content.newLineAtOffset(50, 700);
        for (var line : lines) {
          content.showText(line);
          content.newLineAtOffset(0, -14);
        }
        content.endText();
      }
    }
  }

  private static byte[] saved(PDDocument document) throws IOException {
    var out = new ByteArrayOutputStream();
    document.save(out);
    return out.toByteArray();
  }

  static byte[] docx() throws IOException {
    try (var document = new XWPFDocument()) {
      var style = CTStyle.Factory.newInstance();
      style.setStyleId("Heading1");
      style.addNewName().setVal("heading 1");
      document.createStyles().addStyle(new XWPFStyle(style));
      var heading = document.createParagraph();
      heading.setStyle("Heading1");
      heading.createRun().setText("Payment");
      document.createParagraph().createRun().setText("Money comes back within a week.");
      var table = document.createTable(2, 2);
      table.getRow(0).getCell(0).setText("kind");
      table.getRow(0).getCell(1).setText("days");
      table.getRow(1).getCell(0).setText("card");
      table.getRow(1).getCell(1).setText("7");
      var out = new ByteArrayOutputStream();
      document.write(out);
      return out.toByteArray();
    }
  }

  static byte[] xlsx() throws IOException {
    try (var workbook = new XSSFWorkbook()) {
      var prices = workbook.createSheet("Prices");
      var header = prices.createRow(0);
      header.createCell(0).setCellValue("item");
      header.createCell(1).setCellValue("price");
      var row = prices.createRow(1);
      row.createCell(0).setCellValue("tea");
      row.createCell(1).setCellValue(3);
      workbook.createSheet("Notes").createRow(0).createCell(0).setCellValue("Green tea only.");
      var out = new ByteArrayOutputStream();
      workbook.write(out);
      return out.toByteArray();
    }
  }

  static byte[] xls() throws IOException {
    try (var workbook = new HSSFWorkbook()) {
      workbook.createSheet("Old").createRow(0).createCell(0).setCellValue("An old sheet.");
      var out = new ByteArrayOutputStream();
      workbook.write(out);
      return out.toByteArray();
    }
  }

  static byte[] epub() throws IOException {
    var container =
        """
        <?xml version="1.0"?><container version="1.0"
        xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile
        full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\
        """;
    var book =
        """
        <?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>
        <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
        <spine><itemref idref="one"/></spine></package>\
        """;
    var chapter =
        """
        <?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>
        <body><h1>Chapter</h1><p>It was a dark night.</p></body></html>\
        """;
    return zip(
        Map.of(
            "mimetype",
            "application/epub+zip",
            "META-INF/container.xml",
            container,
            "book.opf",
            book,
            "one.xhtml",
            chapter));
  }

  static byte[] pptx() throws IOException {
    try (var show = new XMLSlideShow()) {
      for (int i = 1; i <= 2; i++) {
        var box = show.createSlide().createTextBox();
        box.setText("Slide text " + i);
        box.setAnchor(new Rectangle(10, 10, 300, 50));
      }
      var out = new ByteArrayOutputStream();
      show.write(out);
      return out.toByteArray();
    }
  }

  static byte[] odt(String prologue, String text) throws IOException {
    var content =
        """
        <?xml version="1.0"?>%s<office:document-content
        xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
        xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>
        <text:h text:outline-level="1">Payment</text:h><text:p>%s</text:p>
        <text:list><text:list-item><text:p>one</text:p></text:list-item>
        <text:list-item><text:p>two</text:p></text:list-item></text:list>
        </office:text></office:body></office:document-content>\
        """
            .formatted(prologue, text);
    return zip(
        Map.of("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", content));
  }

  /// A Word file whose main part has this text.
  static byte[] docx(String prologue, String text) throws IOException {
    var types =
        """
        <?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>\
        """;
    var relations =
        """
        <?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>\
        """;
    var main =
        "<?xml version=\"1.0\"?>"
            + prologue
            + "<w:document"
            + " xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">"
            + "<w:body><w:p><w:r><w:t>"
            + text
            + "</w:t></w:r></w:p></w:body></w:document>";
    return zip(
        Map.of("[Content_Types].xml", types, "_rels/.rels", relations, "word/document.xml", main));
  }

  private static byte[] zip(Map<String, String> entries) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(out)) {
      // The first entry of these formats tells them apart.
      for (var name : List.of("mimetype", "[Content_Types].xml")) {
        if (entries.containsKey(name)) put(zip, name, entries.get(name));
      }
      for (var entry : entries.entrySet()) {
        boolean isWritten =
            entry.getKey().equals("mimetype") || entry.getKey().equals("[Content_Types].xml");
        if (!isWritten) put(zip, entry.getKey(), entry.getValue());
      }
    }
    return out.toByteArray();
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }
}
