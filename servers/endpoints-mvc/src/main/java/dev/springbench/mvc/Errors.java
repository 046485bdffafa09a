package dev.springbench.mvc;

import dev.springbench.common.DatabaseFailure;
import dev.springbench.common.ErrorBody;
import dev.springbench.common.InvalidRequest;
import dev.springbench.common.NoSuchRow;
import dev.springbench.common.UpstreamFailure;
import dev.springbench.common.Validators;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.NoHandlerFoundException;

@RestControllerAdvice
class Errors {

    @ExceptionHandler
    ResponseEntity<ErrorBody> invalid(InvalidRequest failure) {
        return response(ErrorBody.badRequest(failure.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> upstream(UpstreamFailure failure) {
        return response(failure.body());
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> database(DatabaseFailure failure) {
        return response(failure.body());
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> noSuchRow(NoSuchRow failure) {
        return response(ErrorBody.noSuchRow(failure.getMessage()));
    }

    @ExceptionHandler(NoHandlerFoundException.class)
    ResponseEntity<ErrorBody> notFound() {
        return response(ErrorBody.notFound());
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> methodNotAllowed(HttpRequestMethodNotSupportedException failure) {
        ErrorBody body = ErrorBody.methodNotAllowed();
        return ResponseEntity.status(body.status())
                .header(
                        HttpHeaders.ALLOW,
                        failure.getSupportedHttpMethods().iterator().next().toString())
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }

    @ExceptionHandler(HttpMessageNotReadableException.class)
    ResponseEntity<ErrorBody> unreadable() {
        return response(ErrorBody.badRequest("The body must be JSON of the kind that the route takes"));
    }

    @ExceptionHandler
    ResponseEntity<ErrorBody> broken(MethodArgumentNotValidException failure) {
        return response(ErrorBody.badRequest(Validators.said(failure.getFieldErrors())));
    }

    private static ResponseEntity<ErrorBody> response(ErrorBody body) {
        return ResponseEntity.status(body.status())
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }
}
