package dev.springbench.mvc;

import dev.springbench.common.Bytes;
import dev.springbench.common.HeaderUse;
import dev.springbench.common.Invoice;
import dev.springbench.common.Invoices;
import dev.springbench.common.Texts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Many headers, and bodies of some size, in plain blocking code. */
@RestController
class BodyRoutes {

    private static final int PIECE_BYTES = 8_192;

    private final Invoices invoices = new Invoices();

    @GetMapping(path = "/headers", produces = Texts.CONTENT_TYPE)
    ResponseEntity<String> headers(
            HttpServletRequest request,
            @RequestParam(defaultValue = "10") int gets,
            @RequestParam(defaultValue = "10") int lists,
            @RequestParam(defaultValue = "1") int walks,
            @RequestParam(defaultValue = "10") int sets) {
        HttpHeaders answered = new HttpHeaders();
        String read = new HeaderUse(gets, lists, walks, sets)
                .on(new ServletServerHttpRequest(request).getHeaders(), answered);
        return ResponseEntity.ok().headers(answered).body(read);
    }

    @GetMapping(path = "/download", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] download() {
        return Bytes.mebibyte();
    }

    @PostMapping(path = "/upload", produces = Texts.CONTENT_TYPE)
    String upload(InputStream body) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        long bytes = 0;
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            bytes += read;
        }
        return Bytes.received(bytes);
    }

    @PostMapping(path = "/json-in", produces = MediaType.APPLICATION_JSON_VALUE)
    Invoice jsonIn(@Valid @RequestBody Invoice invoice) {
        return invoice.withTotals();
    }

    @GetMapping(path = "/document", produces = MediaType.APPLICATION_JSON_VALUE)
    Invoice document() {
        return invoices.nextLong();
    }
}
