package dev.springbench.contract;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/** Status, media type, framing and body at once. */
final class ResponseAssert extends AbstractAssert<ResponseAssert, HttpResponse<String>> {

    private ResponseAssert(HttpResponse<String> response) {
        super(response, ResponseAssert.class);
        as("%s %s", response.request().method(), response.uri());
    }

    static ResponseAssert assertThatResponse(HttpResponse<String> response) {
        return new ResponseAssert(response);
    }

    ResponseAssert isText(int status, String body) {
        is(status, "text/plain;charset=utf-8");
        Assertions.assertThat(actual.body()).as(descriptionText()).isEqualTo(body);
        return hasLength();
    }

    ResponseAssert isTextMatching(int status, String body) {
        is(status, "text/plain;charset=utf-8");
        Assertions.assertThat(actual.body()).as(descriptionText()).matches(body);
        return hasLength();
    }

    /** Whether JSON is sent in chunks or with its length differs between the Boot lines, and may. */
    ResponseAssert isJson(int status) {
        return is(status, "application/json");
    }

    ResponseAssert isError(int status, String error, String message) {
        isJson(status);
        Assertions.assertThat(actual.body())
                .as(descriptionText())
                .isEqualTo("{\"status\":%d,\"error\":\"%s\",\"message\":\"%s\"}".formatted(status, error, message));
        return this;
    }

    private ResponseAssert is(int status, String contentType) {
        Assertions.assertThat(actual.statusCode())
                .as("%s: %s", descriptionText(), actual.body())
                .isEqualTo(status);
        Assertions.assertThat(headers("Content-Type"))
                .as(descriptionText())
                .singleElement()
                .asString()
                .isEqualToIgnoringCase(contentType);
        return this;
    }

    private ResponseAssert hasLength() {
        int bytes = actual.body().getBytes(StandardCharsets.UTF_8).length;
        Assertions.assertThat(headers("Content-Length")).as(descriptionText()).containsExactly(String.valueOf(bytes));
        return this;
    }

    private List<String> headers(String name) {
        return actual.headers().allValues(name);
    }
}
