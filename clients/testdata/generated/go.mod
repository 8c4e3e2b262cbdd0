module generated

go 1.25

require github.com/oapi-codegen/runtime v1.3.0

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)
