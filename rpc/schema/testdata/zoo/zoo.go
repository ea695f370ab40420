// Package zoo has types that share their names with others.
package zoo

// Config is another Config.
type Config struct {
	There int `json:"there"`
}
